import { isThrottled, isTransient } from './temporary.ts';

const ATTEMPTS_MAX = 3;
/** The longest first pause; the next may be twice as long. */
const PAUSE_MS = 50;
const THROTTLED_PAUSE_MS = 1_000;
const BUDGET = 500;
const RETRY_COST = 10;

/**
 * Attempts calls again as AWS describes it (the "standard" mode of its SDKs): where the service was not reached, did not
 * respond in time, failed, or had too much to do; never where it refused. Pauses are random up to their longest, so
 * that those who failed together do not come back together. Retries draw on a budget that successes refill, so that a
 * service that is down is not asked three times by everybody.
 */
export class Retries {
  #budget = BUDGET;

  /** @throws the error of the last attempt */
  async run<Output>(attempt: () => Promise<Output>): Promise<Output> {
    for (let nth = 1; ; nth += 1) {
      try {
        const output = await attempt();
        this.#budget = Math.min(BUDGET, this.#budget + (nth === 1 ? 1 : RETRY_COST));
        return output;
      } catch (error) {
        const pauseMs = isThrottled(error) ? THROTTLED_PAUSE_MS : isTransient(error) ? PAUSE_MS : null;
        if (pauseMs === null || nth === ATTEMPTS_MAX || this.#budget < RETRY_COST) {
          throw error;
        }
        this.#budget -= RETRY_COST;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs * 2 ** (nth - 1)));
      }
    }
  }
}
