import type { Client } from '../../shared/client/client.ts';
import type { Event } from '../events/follow-events.ts';
import { waitUntil } from '../scenario/wait-until.ts';

const PAGE_MAX = 100;

/** The events of a world, read in order, each once. */
export class EventLog {
  readonly #client: Pick<Client, 'listEvents'>;
  readonly #events: Event[] = [];
  #next = 0;
  #reading: Promise<void> | null = null;

  constructor(client: Pick<Client, 'listEvents'>) {
    this.#client = client;
  }

  /** The newest event that is sought, which may be published a moment later; undefined if there is none. */
  async find(isSought: (event: Event) => boolean, patienceMs?: number): Promise<Event | undefined> {
    let found = this.#events.findLast(isSought);
    if (found === undefined) {
      await waitUntil(async () => {
        await this.#readOnce();
        found = this.#events.findLast(isSought);
        return found === undefined ? 'not published' : null;
      }, patienceMs);
    }
    return found;
  }

  /** The ids of all payments so far. */
  async payments(): Promise<ReadonlySet<string>> {
    await this.#readOnce();
    const created = this.#events.filter(({ type }) => type === 'payment.created');
    return new Set(created.map(({ data }) => String((data.object as { id?: string }).id)));
  }

  /** Several that seek at the same time read once. */
  async #readOnce(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    const pages = this.#client.listEvents({ after_sequence: this.#next, limit: PAGE_MAX }).pages();
    for await (const { data, next_sequence: next } of pages) {
      this.#events.push(...data);
      this.#next = next ?? data.at(-1)?.sequence ?? this.#next;
    }
  }
}
