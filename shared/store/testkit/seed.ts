import type { Job } from '../../domain/job.ts';
import { subjectOf } from '../../domain/job.ts';
import type { Seed, SeedBasis, SeedReport } from '../../domain/testkit/seed.ts';
import { numbersOf } from '../../domain/testkit/seed.ts';
import type { SeedProfile } from '../../domain/testkit/seed-script.ts';
import type { World } from '../../domain/world.ts';
import { addUnsettled } from '../balance.ts';
import { type Change, commit } from '../commit.ts';
import { getItem, insert } from '../item.ts';
import { insertJob } from '../job.ts';
import { restIndex, seedKey } from '../keys.ts';
import { insertPaymentAlone } from '../payment.ts';
import { insertPaymentLink } from '../payment-link.ts';
import { insertPayout } from '../payout.ts';
import { insertRefundAlone } from '../refund.ts';
import { insertSettlement } from '../settlement.ts';
import { takeNumbers } from '../world.ts';

/** DynamoDB takes 100 writes in one transaction. */
const CHUNK_CHANGES_MAX = 90;

/** One seeding of a profile: there is one for each profile, until a purge. */
export interface SeedRecord extends SeedBasis {
  readonly actionId: string;
  /** Hash of the Idempotency-Key whose request is at work. */
  readonly owner: string;
  /** Real time until which requests with other keys keep away. */
  readonly leaseEndsAtMs: number;
  /** What it came to, once it is done. */
  readonly report: SeedReport | null;
}

export async function findSeed(world: World, profile: SeedProfile): Promise<SeedRecord | null> {
  const item = await getItem(seedKey(world, profile));
  return item === undefined
    ? null
    : ({ ...item, report: item.report && JSON.parse(String(item.report)) } as unknown as SeedRecord);
}

/**
 * Begins a seeding: the record of it, and the numbers that it needs, both or neither.
 * @returns false where the world is not as it was read, or the seeding was begun already
 */
export async function beginSeed(world: World, record: SeedRecord): Promise<boolean> {
  const { profile, actionId } = record;
  const outcome = await commit([
    insert({ ...seedKey(world, profile), ...restIndex(world, actionId), ...record }),
    takeNumbers(world, numbersOf(profile)),
  ]);
  return outcome.kind === 'committed';
}

/**
 * Goes on with a seeding whose request has died.
 * @returns false where somebody else was faster
 */
export async function takeOverSeed(world: World, found: SeedRecord, next: SeedRecord): Promise<boolean> {
  const outcome = await commit([
    {
      update: {
        key: seedKey(world, found.profile),
        expression: 'SET #owner = :owner, leaseEndsAtMs = :next',
        condition: 'leaseEndsAtMs = :read AND report = :none',
        names: { '#owner': 'owner' },
        values: {
          ':owner': next.owner,
          ':next': next.leaseEndsAtMs,
          ':read': found.leaseEndsAtMs,
          ':none': null,
        },
      },
    },
  ]);
  return outcome.kind === 'committed';
}

/** Ends a seeding: of all who went on with it, one can say that it made everything. */
export function endSeed(world: World, { profile, actionId }: SeedRecord, report: SeedReport): Change {
  return {
    update: {
      key: seedKey(world, profile),
      expression: 'SET report = :report',
      condition: 'actionId = :action AND report = :none',
      values: { ':action': actionId, ':none': null, ':report': JSON.stringify(report) },
    },
  };
}

/**
 * The writes of a seed but its sinks, in transactions that are the same in every try. Each begins with something that
 * is never deleted, and so tells whether it has happened.
 */
export function chunksOf(world: World, seed: Seed): Change[][] {
  const jobs = Map.groupBy(seed.jobs, subjectOf);
  const withJobs = (id: string, change: Change) => [change, ...jobsOf(world, jobs.get(id))];
  return packed([
    // One group, for what is added to a balance must be added once: under the guard of the settlements.
    [
      ...seed.settlements.flatMap((settlement) => insertSettlement(world, settlement)),
      ...seed.payouts.map((payout) => insertPayout(world, payout)),
      ...seed.balances.map((balance) => addUnsettled(world, balance)),
    ],
    ...seed.payments.map((payment) => withJobs(payment.id, insertPaymentAlone(world, payment))),
    ...seed.refunds.map((refund) => withJobs(refund.id, insertRefundAlone(world, refund))),
    ...seed.links.map((link) => insertPaymentLink(world, link)),
  ]);
}

/**
 * Writes a chunk, unless an earlier try has.
 * @throws Error where something else stands in its way
 */
export async function commitChunk(chunk: readonly Change[]): Promise<void> {
  const outcome = await commit(chunk);
  if (outcome.kind === 'conflict' && !(await isWritten(chunk[0]))) {
    throw new Error('a chunk of a seed is stored in part');
  }
}

async function isWritten(first: Change | undefined): Promise<boolean> {
  if (first === undefined || !('put' in first)) {
    return false;
  }
  const { pk, sk } = first.put.item;
  return (await getItem({ pk, sk })) !== undefined;
}

function jobsOf(world: World, jobs: readonly Job[] = []): Change[] {
  return jobs.map((job) => insertJob(world, job));
}

/** Groups that stay together, as many in one transaction as fit. */
function packed(groups: readonly Change[][]): Change[][] {
  const chunks: Change[][] = [[]];
  for (const group of groups) {
    const last = chunks.at(-1);
    if (last !== undefined && last.length + group.length <= CHUNK_CHANGES_MAX) {
      last.push(...group);
    } else {
      chunks.push([...group]);
    }
  }
  return chunks;
}
