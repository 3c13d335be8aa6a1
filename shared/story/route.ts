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

/** The sections of the dashboard by the first segment of their route: those of the shop, and those of developers. */
export const SHOP_SECTIONS = ['', 'payments', 'refunds', 'links', 'money'] as const;
export const DEVELOPER_SECTIONS = ['events', 'webhooks', 'requests', 'exam', 'api'] as const;
export type Section = (typeof SHOP_SECTIONS | typeof DEVELOPER_SECTIONS)[number];

/** Whether a section is there: two of them need the test kit. */
export function hasSection(section: string, hasTestKit: boolean): boolean {
  return hasTestKit || (section !== 'requests' && section !== 'exam');
}

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
