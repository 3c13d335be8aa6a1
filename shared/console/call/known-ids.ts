import { idPattern } from '../../story/addresses.ts';
import { LISTED_KINDS } from '../../story/lists.ts';
import type { BodyOf, RowOf } from '../../story/operation-id.ts';
import type { GateResponse } from './gate.ts';

const KEPT_MAX = 20;

/** The rows of any list, some of which are attempts to deliver. */
function listedIn({ body }: GateResponse): readonly Partial<RowOf<'webhooks.ListEventDeliveries'>>[] {
  const { data = [] }: Partial<BodyOf<'webhooks.ListEventDeliveries'>> = Object(body);
  return data;
}

/** The prefix of the ids that a field holds, or a segment of a path leads to, by its name. */
export const PREFIX_OF_NAME: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    LISTED_KINDS.filter(({ letter }) => letter !== null).flatMap(({ segment, prefix }) =>
      [segment, `${segment.slice(0, -1)}_id`].map((name) => [name, prefix]),
    ),
  ),
  'payment-links': 'lnk',
  events: 'evt',
  sinks: 'snk',
  sink_id: 'snk',
  'webhook-endpoints': 'whe',
  endpoint_id: 'whe',
  deliveries: 'dlv',
};
const ID = idPattern(new Set(Object.values(PREFIX_OF_NAME)));

/** Remembers the ids of responses, so that users need not copy them into the next form. */
export class KnownIds {
  /** The ids of the user's own calls, the latest first. */
  #responded: { readonly id: string; readonly at: number }[] = [];
  /** The ids in what was read, the latest read last. */
  readonly #listed = new Map<string, string[]>();
  /** The endpoint of each delivery. */
  readonly #owners = new Map<string, string>();

  /**
   * Ids of a response come first, in its order. A change is known from the moment of its response. The data of a read
   * may be as old as its request.
   */
  remember(response: GateResponse): void {
    const at = response.request.method === 'GET' ? response.askedAt : response.respondedAt;
    const named = this.#namedIn([response]).map((id) => ({ id, at }));
    const latest = [...named, ...this.#responded].toSorted((a, b) => b.at - a.at);
    const distinct = firstOfEach(latest, ({ id }) => id, 1);
    this.#responded = firstOfEach(distinct, ({ id }) => kindOf(id), KEPT_MAX);
  }

  /** Offers the ids of lists too, after the ids of the user's own calls. */
  list(view: string, responses: readonly GateResponse[]): void {
    this.#listed.delete(view);
    this.#listed.set(view, firstOfEach(this.#namedIn(responses), kindOf, KEPT_MAX));
  }

  #namedIn(responses: readonly GateResponse[]): string[] {
    for (const { id, sink_id: sinkId, endpoint_id: owner = sinkId } of responses.flatMap(listedIn)) {
      if (typeof id === 'string' && typeof owner === 'string') {
        this.#owners.set(id, owner);
      }
    }
    return [...new Set(responses.flatMap(({ text }) => text.match(ID) ?? []))];
  }

  /** The ids that fit a field, the latest first. */
  idsFor(name: string): string[] {
    const prefix = PREFIX_OF_NAME[name];
    const known = [
      ...new Set([...this.#responded.map(({ id }) => id), ...[...this.#listed.values()].toReversed().flat()]),
    ];
    return prefix === undefined ? [] : known.filter((id) => id.startsWith(`${prefix}_`));
  }

  /**
   * `/refunds/{id}/cancel`, `id` → the ids of refunds: the segment before a parameter names its resource.
   * @param others the values of other parameters: only ids that belong together are offered
   */
  idsAt(path: string, parameter: string, others: readonly unknown[]): string[] {
    const steps = path.split('/');
    const kinds = steps.map((step) => PREFIX_OF_NAME[step]);
    const ids = this.idsFor(steps[steps.indexOf(`{${parameter}}`) - 1] ?? '').filter((id) =>
      kinds.includes(kindOf(this.#owners.get(id) ?? id)),
    );
    const belongs = (id: unknown, owner: unknown) => (this.#owners.get(String(id)) ?? owner) === owner;
    const given = others.filter((other) => other !== undefined);
    return ids.filter((id) => given.every((other) => belongs(id, other) && belongs(other, id)));
  }

  forget(): void {
    this.#responded = [];
    this.#listed.clear();
    this.#owners.clear();
  }
}

function firstOfEach<T>(all: readonly T[], groupOf: (each: T) => string, max: number): T[] {
  return [...Map.groupBy(all, groupOf).values()].flatMap((same) => same.slice(0, max));
}

function kindOf(id: string): string {
  return id.slice(0, 3);
}
