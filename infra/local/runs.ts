import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBStreamEvent } from 'aws-lambda';

const STOP_WITHIN_MS = 900;

/** Runs of a worker: a few at once, while the others wait. */
export class Runs<Event extends object> {
  readonly #worker: string;
  readonly #atOnceMax: number;
  readonly #run: (event: Event) => Promise<void>;
  /** The oldest first. */
  readonly #waiting = new Map<string, Event>();
  readonly #running = new Set<Promise<void>>();

  /** @param worker its name, for what is printed when a run fails */
  constructor(worker: string, atOnceMax: number, run: (event: Event) => Promise<void>) {
    this.#worker = worker;
    this.#atOnceMax = atOnceMax;
    this.#run = run;
  }

  /**
   * Adds a run.
   * @param name if a run of this name is still waiting, records of the stream join it, and another event is dropped
   */
  add(event: Event, name: string): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) {
      this.#waiting.set(name, event);
    } else if (isOfStream(waiting) && isOfStream(event)) {
      waiting.Records.push(...event.Records);
    }
    this.#startNext();
  }

  /** Drops what waits, and waits up to `STOP_WITHIN_MS` for what runs. */
  async stop(): Promise<void> {
    this.#waiting.clear();
    await Promise.race([Promise.all(this.#running), sleep(STOP_WITHIN_MS)]);
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#running.size >= this.#atOnceMax) {
      return;
    }
    const [name, event] = next;
    this.#waiting.delete(name);
    const run = this.#run(event)
      .catch((error: unknown) => console.error(`the ${this.#worker.replaceAll('-', ' ')} failed:`, error))
      .finally(() => {
        this.#running.delete(run);
        this.#startNext();
      });
    this.#running.add(run);
  }
}

function isOfStream(event: object): event is DynamoDBStreamEvent {
  return 'Records' in event && (event as DynamoDBStreamEvent).Records.every((record) => 'dynamodb' in record);
}
