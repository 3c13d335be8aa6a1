import { subjectOf } from '../../domain/job.ts';
import type { EntityOf, ResourceName } from '../../domain/resource.ts';
import type { Seed } from '../../domain/testkit/seed.ts';
import type { World } from '../../domain/world.ts';
import { addUnsettled } from '../balance.ts';
import { commit, type Write } from '../commit.ts';
import { getItem } from '../item.ts';
import { insertJob } from '../job.ts';
import { pastWrites } from '../writes.ts';

/** DynamoDB takes 100 writes in one transaction. */
const CHUNK_CHANGES_MAX = 90;

/**
 * The writes of a seed but its sinks, in transactions that are the same in every try. Each begins with something that
 * is never deleted, and so tells whether it has happened.
 */
export function chunksOf(world: World, { made, balances, jobs }: Seed): Write[][] {
  const { settlement, payout, ...others } = made;
  const jobsOf = Map.groupBy(jobs, subjectOf);
  const past = <Name extends ResourceName>(name: Name, entity: EntityOf<Name>) => [
    ...pastWrites(name, world, entity),
    ...(jobsOf.get(entity.id) ?? []).map((job) => insertJob(world, job)),
  ];
  return packed([
    // One group, for what is added to a balance must be added once: under the guard of the settlements.
    [
      ...settlement.flatMap((one) => past('settlement', one)),
      ...payout.flatMap((one) => past('payout', one)),
      ...balances.map((balance) => addUnsettled(world, balance)),
    ],
    ...others.payment.map((payment) => past('payment', payment)),
    ...others.refund.map((refund) => past('refund', refund)),
    ...others.paymentLink.map((link) => past('paymentLink', link)),
  ]);
}

/**
 * Writes a chunk, unless an earlier try has.
 * @throws Error where something else stands in its way
 */
export async function commitChunk(chunk: readonly Write[]): Promise<void> {
  const outcome = await commit(chunk);
  if (outcome.kind === 'conflict' && !(await isWritten(chunk[0]))) {
    throw new Error('a chunk of a seed is stored in part');
  }
}

async function isWritten(first: Write | undefined): Promise<boolean> {
  if (first === undefined || !('put' in first)) {
    return false;
  }
  const { pk, sk } = first.put.item;
  return (await getItem({ pk, sk })) !== undefined;
}

/** Groups that stay together, as many in one transaction as fit. */
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
