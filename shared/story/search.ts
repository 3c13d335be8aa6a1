import { formatOrdinal } from '../domain/format-ordinal.ts';
import { parseAmount } from '../domain/parse-amount.ts';
import { withPlainDigits } from '../domain/plain-digits.ts';
import { addressOfId } from './addresses.ts';
import { LISTED_KINDS, LISTS } from './lists.ts';
import { addressOf, type DashboardRoute } from './route.ts';

/** One way to understand what somebody seeks: payments that have this value, of this filter of their list. */
export interface Lookup {
  readonly by: 'number' | 'amount_minor' | 'customer_email' | 'reference' | 'reference_prefix';
  readonly value: string;
}

const NUMBER = /^([A-Z])-\d+$/i;
/** Numbers as people say them: 42 of P-000042. More digits are a reference. */
const ORDINAL = /^\d{1,9}$/;
const EMAIL = /^\S+@\S+\.\S+$/;
/** The service finds a reference by its beginning from here on. */
const PREFIX_MIN_CHARS = 3;

/**
 * Where a search leads: an id to its resource, the number of anything but a payment to its list, all else to a page that
 * looks for payments. Null where nothing is sought.
 */
export function addressOfSearch(text: string): string | null {
  const sought = text.trim();
  if (sought === '') {
    return null;
  }
  const byId = /^[a-z]{3}_/.test(sought) ? addressOfId(sought) : null;
  const letter = NUMBER.exec(sought)?.[1]?.toUpperCase();
  const numbered = LISTED_KINDS.find((kind) => kind.letter === letter);
  const byNumber =
    numbered === undefined ? null : addressOf([numbered.segment], { number: sought.toUpperCase() });
  return byId ?? byNumber ?? addressOf(['search'], { q: sought });
}

/** What a text may mean, most likely first. */
export function lookupsOf(text: string): Lookup[] {
  const sought = text.trim();
  const plain = withPlainDigits(sought);
  const minor = parseAmount(sought);
  const reference: Lookup =
    sought.length < PREFIX_MIN_CHARS
      ? { by: 'reference', value: sought }
      : { by: 'reference_prefix', value: sought };
  if (EMAIL.test(sought)) {
    return [{ by: 'customer_email', value: sought.toLowerCase() }, reference];
  }
  return [
    ...(ORDINAL.test(plain) && Number(plain) > 0
      ? [{ by: 'number', value: formatOrdinal(LISTS.payment.letter, Number(plain)) } as const]
      : []),
    ...(minor === null || minor === 0 ? [] : [{ by: 'amount_minor', value: String(minor) } as const]),
    reference,
  ];
}

/** The list of payments that a lookup finds, as a route. */
export function routeOfLookup({ by, value }: Lookup): DashboardRoute {
  return { path: ['payments'], query: { [by]: value } };
}
