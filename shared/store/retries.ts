import { isThrottled, isTransient } from './temporary.ts';

const ATTEMPTS_MAX = 3;
/** The longest first pause; the next may be twice as long. */
const PAUSE_MS = 50;
const THROTTLED_PAUSE_MS = 1_000;
const BUDGET = 500;
const RETRY_COST = 10;

/**
 * Retries calls as the "standard" mode of AWS's SDKs does: if the service was not reached, did not respond in time,
 * failed, or was overloaded; never if it refused. Pauses are random, so that callers that failed together do not retry
 * together. Retries use a budget that successes refill, so that a service that is down gets few of them.
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
