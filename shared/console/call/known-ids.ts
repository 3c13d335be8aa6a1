import type { BodyOf, RowOf } from '../../story/operation-id.ts';
import type { GateAnswer } from './gate.ts';

const ID = /\b(pay|ref|lnk|pot|stl|evt|snk|whe|dlv)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const KEPT_MAX = 20;

/** Of any list: its rows, some of which are attempts to deliver. */
function listedIn({ body }: GateAnswer): readonly Partial<RowOf<'webhooks.ListEventDeliveries'>>[] {
  const { data = [] }: Partial<BodyOf<'webhooks.ListEventDeliveries'>> = Object(body);
  return data;
}

export type KnownIds = ReturnType<typeof createKnownIds>;

/** The prefix of the ids that a field holds, or a segment of a path leads to, by its name. */
export const PREFIX_OF_NAME: Readonly<Record<string, string>> = {
  payments: 'pay',
  payment_id: 'pay',
  refunds: 'ref',
  refund_id: 'ref',
  'payment-links': 'lnk',
  link_id: 'lnk',
  payouts: 'pot',
  payout_id: 'pot',
  settlements: 'stl',
  settlement_id: 'stl',
  events: 'evt',
  sinks: 'snk',
  sink_id: 'snk',
  'webhook-endpoints': 'whe',
  endpoint_id: 'whe',
  deliveries: 'dlv',
};

/** Remembers the ids of responses, so that users need not copy them into the next form. */
export function createKnownIds() {
  /** The ids of the user's own calls, the latest first. */
  let answered: { readonly id: string; readonly at: number }[] = [];
  /** The ids in what was read, the latest read last. */
  const listed = new Map<string, string[]>();
  /** The endpoint of each delivery. */
  const owners = new Map<string, string>();

  /**
   * Ids of a response come first, in its order. A change is known from the moment of its response. The data of a read
   * may be as old as its request.
   */
  function remember(answer: GateAnswer): void {
    const at = answer.request.method === 'GET' ? answer.askedAt : answer.answeredAt;
    const named = namedIn([answer]).map((id) => ({ id, at }));
    const latest = [...named, ...answered].toSorted((a, b) => b.at - a.at);
    const distinct = firstOfEach(latest, ({ id }) => id, 1);
    answered = firstOfEach(distinct, ({ id }) => kindOf(id), KEPT_MAX);
  }

  /** Offers the ids of lists too, after the ids of the user's own calls. */
  function list(view: string, answers: readonly GateAnswer[]): void {
    listed.delete(view);
    listed.set(view, firstOfEach(namedIn(answers), kindOf, KEPT_MAX));
  }

  function namedIn(answers: readonly GateAnswer[]): string[] {
    for (const { id, sink_id: sinkId, endpoint_id: owner = sinkId } of answers.flatMap(listedIn)) {
      if (typeof id === 'string' && typeof owner === 'string') {
        owners.set(id, owner);
      }
    }
    return [...new Set(answers.flatMap(({ text }) => text.match(ID) ?? []))];
  }

  function firstOfEach<T>(all: readonly T[], groupOf: (each: T) => string, max: number): T[] {
    return [...Map.groupBy(all, groupOf).values()].flatMap((same) => same.slice(0, max));
  }

  function kindOf(id: string): string {
    return id.slice(0, 3);
  }

  /** The ids that fit a field, the latest first. */
  function idsFor(name: string): string[] {
    const prefix = PREFIX_OF_NAME[name];
    const known = [
      ...new Set([...answered.map(({ id }) => id), ...[...listed.values()].toReversed().flat()]),
    ];
    return prefix === undefined ? [] : known.filter((id) => id.startsWith(`${prefix}_`));
  }

  /**
   * `/refunds/{id}/cancel`, `id` → the ids of refunds: the segment before a parameter names its resource.
   * @param others the values of other parameters: only ids that belong together are offered
   */
  function idsAt(path: string, parameter: string, others: readonly unknown[]): string[] {
    const steps = path.split('/');
    const kinds = steps.map((step) => PREFIX_OF_NAME[step]);
    const ids = idsFor(steps[steps.indexOf(`{${parameter}}`) - 1] ?? '').filter((id) =>
      kinds.includes(kindOf(owners.get(id) ?? id)),
    );
    const belongs = (id: unknown, owner: unknown) => (owners.get(String(id)) ?? owner) === owner;
    const given = others.filter((other) => other !== undefined);
    return ids.filter((id) => given.every((other) => belongs(id, other) && belongs(other, id)));
  }

  function forget(): void {
    answered = [];
    listed.clear();
    owners.clear();
  }

  return { remember, list, idsFor, idsAt, forget };
}
