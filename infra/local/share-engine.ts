import { Semaphore } from '../../shared/concurrency/semaphore.ts';
import type { StepName } from '../../shared/store/table/client.ts';

/** The calls of long jobs that write much: forks, seeds, and moves of the clock. */
const BULK: readonly StepName[] = ['copy content', 'store part of seed', 'finish moved job'];
/** So many keep an engine busy that makes one write at a time; a request waits for these at most. */
const BULK_AT_ONCE = 2;

/** Makes long jobs of this thread leave the engine to requests in between: the table of a deployed service has no need. */
export async function shareEngine(): Promise<void> {
  const [{ interceptCalls }, { dynamodb }] = await Promise.all([
    import('../../shared/store/table/aws-client.ts'),
    import('../../shared/store/table/client.ts'),
  ]);
  const bulk = new Semaphore(BULK_AT_ONCE);
  interceptCalls(dynamodb, ({ step }, next) => (BULK.some((one) => one === step) ? bulk.run(next) : next()));
}
