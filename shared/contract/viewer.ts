/** Who looks: a key, by its permissions. */
export interface Viewer {
  readonly permissions: readonly string[];
}

/**
 * A resource as a key may see it. The addresses of a payer's pages are keys to them: they are left out for one that can
 * neither make nor read payments, so that what tells of a payment is no means to pay it (contract §5).
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
