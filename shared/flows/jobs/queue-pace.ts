import type { Delivery } from '../../domain/delivery.ts';
import { PATIENCE_MS } from '../dispatch/attempt-delivery.ts';

/**
 * The pace of a run through the queue of one endpoint: one attempt first, the others once the endpoint has responded, and
 * no more once it hangs. So an endpoint that never responds holds one connection, and its run ends soon.
 */
export class QueuePace {
  #first: Promise<unknown> | null = null;
  #isQuick = false;
  #isHanging = false;

  /** Whether the last response was quick. */
  get isQuick(): boolean {
    return this.#isQuick;
  }

  /** Whether an attempt was waited for and got no response. */
  get isHanging(): boolean {
    return this.#isHanging;
  }

  note({ durationMs, failure }: Pick<Delivery, 'durationMs' | 'failure'>): void {
    this.#isQuick = Number(durationMs) < PATIENCE_MS;
    this.#isHanging ||= failure !== undefined && !this.#isQuick;
  }

  /** Makes an attempt in its turn. @returns true, without an attempt, once the endpoint hangs: it stays in the queue */
  async run(attempt: () => Promise<boolean>): Promise<boolean> {
    if (this.#first === null) {
      const first = attempt();
      this.#first = first.catch(() => undefined);
      return first;
    }
    await this.#first;
    return this.#isHanging || attempt();
  }
}
