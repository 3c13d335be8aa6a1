import { Semaphore } from '../../shared/concurrency/semaphore.ts';
import { functionNameOf, LONG_FUNCTION_TIMEOUT_SECONDS } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { runningFunction } from './guard.ts';

/**
 * What nobody waits for second by second: seeds, forks, purges, moves of the clock, recoveries of events, and queued
 * attempts at endpoints, which come due in bursts where an endpoint is down.
 */
const LONG_FUNCTIONS: ReadonlySet<string> = new Set(
  allOperations
    .filter(({ timeoutSeconds = 0 }) => timeoutSeconds >= LONG_FUNCTION_TIMEOUT_SECONDS)
    .map(functionNameOf)
    .concat('workers/deliverer'),
);
const BULK_WRITES: ReadonlySet<string> = new Set(['TransactWriteItems', 'BatchWriteItem']);
/** So many keep an engine busy that makes one write at a time. */
const AT_ONCE = 2;
/** So long after its last call, others count as busy: most requests make several calls. */
const BUSY_MS = 100;

/**
 * Turns at an engine that makes one write at a time. While others call it, long jobs write one at a time: so at most
 * every second turn is theirs, and a request waits for one of their writes.
 * @internal
 */
export class EngineTurns {
  readonly #bulk = new Semaphore(AT_ONCE);
  readonly #alone = new Semaphore(1);
  #others = 0;
  #lastOtherMs = Number.NEGATIVE_INFINITY;

  /** A write of a long job. */
  bulk<Output>(write: () => Promise<Output>): Promise<Output> {
    return this.#bulk.run(() => (this.#areOthersBusy() ? this.#alone.run(write) : write()));
  }

  /** Any other call. */
  async other<Output>(call: () => Promise<Output>): Promise<Output> {
    this.#others += 1;
    try {
      return await call();
    } finally {
      this.#others -= 1;
      this.#lastOtherMs = Date.now();
    }
  }

  #areOthersBusy(): boolean {
    return this.#others > 0 || Date.now() - this.#lastOtherMs < BUSY_MS;
  }
}

/** Makes long jobs of this thread leave the engine to requests in between: the table of a deployed service has no need. */
export async function shareEngine(): Promise<void> {
  const [{ interceptCalls }, { dynamodb }] = await Promise.all([
    import('../../shared/store/table/aws-client.ts'),
    import('../../shared/store/table/client.ts'),
  ]);
  const turns = new EngineTurns();
  interceptCalls(dynamodb, ({ operation }, next) => {
    if (!LONG_FUNCTIONS.has(runningFunction() ?? '')) {
      return turns.other(next);
    }
    return BULK_WRITES.has(operation) ? turns.bulk(next) : next();
  });
}
