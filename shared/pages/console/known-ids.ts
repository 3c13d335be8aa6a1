export type KnownIds = ReturnType<typeof createKnownIds>;

/** Remembers the ids that answers held, so that nobody has to copy them into the next form. */
export function createKnownIds() {
  const ID = /\b(pay|ref|lnk|pot|evt|snk|dlv)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
  const KEPT_MAX = 20;
  const PREFIXES: Readonly<Record<string, string>> = {
    payments: 'pay',
    payment_id: 'pay',
    refunds: 'ref',
    refund_id: 'ref',
    'payment-links': 'lnk',
    link_id: 'lnk',
    payouts: 'pot',
    payout_id: 'pot',
    events: 'evt',
    sinks: 'snk',
    sink_id: 'snk',
    deliveries: 'dlv',
  };
  let known: string[] = [];

  /** What an answer names comes first, in the order in which it names it. */
  function remember(text: string): void {
    const named = [...new Set(text.match(ID) ?? [])];
    const all = [...named, ...known.filter((id) => !named.includes(id))];
    const places = Map.groupBy(all, (id) => id.slice(0, 3));
    known = [...places.values()].flatMap((ids) => ids.slice(0, KEPT_MAX));
  }

  /** The ids that may stand in a field, the latest first. */
  function idsFor(name: string): string[] {
    const prefix = PREFIXES[name];
    return prefix === undefined ? [] : known.filter((id) => id.startsWith(`${prefix}_`));
  }

  /** `/refunds/{id}/cancel`, `id` → the ids of refunds: what stands before a parameter says of what it is the id. */
  function idsAt(path: string, parameter: string): string[] {
    const steps = path.split('/');
    return idsFor(steps[steps.indexOf(`{${parameter}}`) - 1] ?? '');
  }

  function forget(): void {
    known = [];
  }

  return { remember, idsFor, idsAt, forget };
}
