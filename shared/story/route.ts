/** A place of the dashboard, as its address names it: `#/payments/pay_…`, `#/payments?status=failed`. */
export interface PlaceRoute {
  /** Home is empty. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/**
 * What an address names beside its place: the drawer of the test world, and in a log the receiver, its filters, its
 * page, and the delivery that is open. A change of these leads nowhere else.
 */
const PANEL_NAMES: readonly string[] = ['world', 'receiver', 'failed', 'event_type', 'older', 'delivery'];

/** The words of the navigation. */
export const PLACES = [
  ['', 'Home'],
  ['payments', 'Payments'],
  ['refunds', 'Refunds'],
  ['links', 'Links'],
  ['money', 'Money'],
  ['events', 'Events'],
  ['webhooks', 'Webhooks'],
  ['api', 'API'],
] as const;

/** Places without a word of their own, by the place that they belong to. */
const BELONGS: Readonly<Record<string, string>> = {
  settlements: 'money',
  payouts: 'money',
  requests: 'webhooks',
  exam: 'webhooks',
};

/** The place in the navigation that a route belongs to. */
export function placeOf({ path: [first = ''] }: PlaceRoute): string {
  return BELONGS[first] ?? first;
}

/** A route without what it names beside its place. */
export function withoutPanels({ path, query }: PlaceRoute): PlaceRoute {
  const held = Object.entries(query).filter(([name]) => !PANEL_NAMES.includes(name));
  return { path, query: Object.fromEntries(held) };
}

/** Reads the fragment of an address. One that is not of this form leads home. */
export function parseRoute(hash: string): PlaceRoute {
  const [, path = '', query = ''] = /^#\/([^?]*)(?:\?(.*))?$/.exec(hash) ?? [];
  const steps = path.split('/').filter((step) => step !== '');
  return { path: steps.map(decode), query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The fragment that leads to a place. Empty values of the query are left out. */
export function addressOf(path: readonly string[], query: PlaceRoute['query'] = {}): string {
  const held = Object.entries(query).filter(([, value]) => value !== '');
  const search = held.length === 0 ? '' : `?${new URLSearchParams(held)}`;
  return `#/${path.map(encodeURIComponent).join('/')}${search}`;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
