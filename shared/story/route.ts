/** What the dashboard shows, as its address names it: `#/payments/pay_…`, `#/payments?status=failed`. */
export interface DashboardRoute {
  /** Home is empty. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/**
 * What an address names beside its route: the drawer of the test world, and in a log the receiver, its filters, its
 * page, and the delivery that is open. A change of these leads nowhere else.
 */
const PANEL_NAMES: readonly string[] = ['world', 'receiver', 'failed', 'event_type', 'older', 'delivery'];

/** The sections of the dashboard: the first segment of their route, and their word in the navigation. */
export const SECTIONS = [
  ['', 'Home'],
  ['payments', 'Payments'],
  ['refunds', 'Refunds'],
  ['links', 'Links'],
  ['money', 'Money'],
  ['events', 'Events'],
  ['webhooks', 'Webhooks'],
  ['api', 'API'],
] as const;
export type Section = (typeof SECTIONS)[number][0];

/** A route without its panels. */
export function withoutPanels({ path, query }: DashboardRoute): DashboardRoute {
  const held = Object.entries(query).filter(([name]) => !PANEL_NAMES.includes(name));
  return { path, query: Object.fromEntries(held) };
}

/** Reads the fragment of an address. One that is not of this form leads home. */
export function parseRoute(hash: string): DashboardRoute {
  const [, path = '', query = ''] = /^#\/([^?]*)(?:\?(.*))?$/.exec(hash) ?? [];
  const steps = path.split('/').filter((step) => step !== '');
  return { path: steps.map(decode), query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The fragment of a route. Empty values of the query are left out. */
export function addressOf(path: readonly string[], query: DashboardRoute['query'] = {}): string {
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
