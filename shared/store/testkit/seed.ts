import { subjectOf } from '../../domain/job.ts';
import { type EntityOf, RESOURCE_NAMES, type ResourceName } from '../../domain/resource.ts';
import type { Seed } from '../../domain/testkit/seed.ts';
import type { World } from '../../domain/world.ts';
import { addUnsettled } from '../money/balance.ts';
import { insertJob } from '../scheduler/job.ts';
import { commit, type Write } from '../table/commit.ts';
import { getItem } from '../table/item.ts';
import { pastWrites } from '../writes.ts';

/** They are written before the others. */
const EARLIER: ReadonlySet<ResourceName> = new Set(['settlement', 'payout', 'payment']);
/** DynamoDB takes 100 writes in one transaction. */
const CHUNK_CHANGES_MAX = 90;

/**
 * The writes of a seed without its sinks, in transactions that are the same on every try. The first item of each is
 * never deleted, so it shows whether the transaction was committed.
 */
export function chunksOf(world: World, { made, balances, jobs }: Seed): Write[][] {
  const jobsOf = Map.groupBy(jobs, subjectOf);
  const past = <Name extends ResourceName>(name: Name): Write[][] =>
    made[name].map((entity) => [
      ...pastWrites(name, world, entity as EntityOf<Name>),
      ...(jobsOf.get(entity.id) ?? []).map((job) => insertJob(world, job)),
    ]);
  const [first = [], ...payments] = past('payment');
  return packed([
    [...past('settlement'), ...past('payout')].flat(),
    // One group: where its payment is stored already, the balances are not added again.
    [...first, ...balances.map((balance) => addUnsettled(world, balance))],
    ...payments,
    ...RESOURCE_NAMES.filter((name) => !EARLIER.has(name)).flatMap(past),
  ]);
}

/**
 * Commits a chunk, unless an earlier try has.
 * @throws Error where it conflicts though its first item does not exist
 */
export async function commitChunk(chunk: readonly Write[]): Promise<void> {
  const outcome = await commit(chunk, 'store part of seed');
  if (outcome.kind === 'conflict' && !(await isWritten(chunk[0]))) {
    throw new Error('a chunk of a seed conflicts with other items');
  }
}

async function isWritten(first: Write | undefined): Promise<boolean> {
  if (first === undefined || !('put' in first)) {
    return false;
  }
  const { pk, sk } = first.put.item;
  return (await getItem({ pk, sk })) !== undefined;
}

/** Packs groups into transactions, as many as fit, without splitting a group. */
function packed(groups: readonly Write[][]): Write[][] {
  const chunks: Write[][] = [[]];
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
