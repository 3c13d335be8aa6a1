/** The key that a view is for, by its permissions. */
export interface Viewer {
  readonly permissions: readonly string[];
}

/**
 * A resource as a key may see it. Anyone with the address of a payer's page can use that page, so a key that can neither
 * create nor read payments does not see these addresses (contract §5).
 */
export function asSeenBy<Seen extends object>(viewer: Viewer, seen: Seen): Seen {
  const pages = ['checkout_url', 'next_action'].filter((name) => name in seen);
  return mayUsePages(viewer) ? seen : { ...seen, ...Object.fromEntries(pages.map((name) => [name, null])) };
}

export function mayUsePages({ permissions }: Viewer): boolean {
  return permissions.includes('payment.create') || permissions.includes('payment.read');
}

export function mayReadPayments({ permissions }: Viewer): boolean {
  return permissions.includes('payment.read');
}
