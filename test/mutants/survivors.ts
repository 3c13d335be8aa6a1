import type { Survivors } from './mutation-report.ts';

const FOR_THE_TYPE = 'the compiler needs it: the value is always there, or is refused in the same way';

/** The mutants of the money rules that survive, each with the reason. `node test/mutants/run.ts` holds this list. */
export const SURVIVORS: readonly Survivors[] = [
  {
    file: 'shared/domain/balance.ts',
    mutants: ['minor < 0n → minor <= 0n'],
    why: 'nothing that came in and nothing that went out are the same balance',
  },
  {
    file: 'shared/domain/balance.ts',
    mutants: ['one.day < other.day → one.day <= other.day'],
    why: 'equal days were told apart before',
  },
  {
    file: 'shared/domain/clock.ts',
    mutants: ['\'\' → "Stryker was here!"', '[] → ["Stryker was here"]'],
    why: 'either stands for a text that is no instant, and no such text is a date',
  },
  {
    file: 'shared/domain/clock.ts',
    mutants: ['fraction.slice(0, 3) → fraction'],
    why: 'V8 drops what is below a millisecond as well, which ECMAScript leaves to each engine',
  },
  {
    file: 'shared/domain/clock.ts',
    mutants: ['/^\\d{4}-\\d{2}-\\d{2}$/ → /^\\d{4}-\\d{2}-\\d{2}/'],
    why: 'with anything after the date, the text is no beginning of the instant that it is compared with',
  },
  {
    file: 'shared/domain/endpoint-slot.ts',
    mutants: ['first + nth → first - nth'],
    why: 'slots are tried in any order, if it is another one for other endpoints',
  },
  {
    file: 'shared/domain/endpoint.ts',
    mutants: ['recoveringSinceMs !== undefined → true', 'previousSecret !== null → true'],
    why: FOR_THE_TYPE,
  },
  {
    file: 'shared/domain/endpoint.ts',
    mutants: ['enabledAtMs !== null → true', 'notedAtMs === null → false'],
    why: 'null counts as the first instant of 1970 there, and no event or attempt is of its first hour',
  },
  {
    file: 'shared/domain/id.ts',
    mutants: ['/^[a-z]{3}_/ → /[a-z]{3}_/'],
    why: 'what follows the fourth character is a suffix, which has no underscore',
  },
  {
    file: 'shared/domain/id.ts',
    mutants: ['order !== undefined → true', 'order !== undefined → true'],
    why: 'the library takes an undefined sequence number for none, which its types do not allow',
  },
  {
    file: 'shared/domain/network.ts',
    mutants: ['\'\' → "Stryker was here!"'],
    why: FOR_THE_TYPE,
  },
  {
    file: 'shared/domain/network.ts',
    mutants: ['\'ipv6\' → ""', '\'ipv6\' → ""', 'isIP(address) === 6 → true'],
    why: 'Node takes every family but ipv4 for IPv6, and finds no IPv4 address among IPv6 ones, both undocumented',
  },
  {
    file: 'shared/domain/parse-amount.ts',
    mutants: ['parts[1]?.replaceAll → parts[1].replaceAll'],
    why: FOR_THE_TYPE,
  },
  {
    file: 'shared/domain/payment.ts',
    mutants: ['default: return {}; → default:', 'status !== null → true'],
    why: FOR_THE_TYPE,
  },
  {
    file: 'shared/domain/phone.ts',
    mutants: [
      '/^\\(\\+(\\d{1,3})\\)/ → /\\(\\+(\\d{1,3})\\)/',
      '/^\\+[1-9]\\d{6,14}$/ → /\\+[1-9]\\d{6,14}$/',
    ],
    why: 'a plus that is not the first character was refused before, or is refused after',
  },
  {
    file: 'shared/domain/phone.ts',
    mutants: ['\'\' → "Stryker was here!"'],
    why: 'either is no mobile number',
  },
  {
    file: 'shared/domain/plain-url.ts',
    mutants: ['[] → ["Stryker was here"]'],
    why: 'either has no second value, which is the host',
  },
  {
    file: 'shared/domain/plain-url.ts',
    mutants: ['labels.length === read.length → true'],
    why: 'no host is known of which a parser drops a label at its end; one that did is to be refused',
  },
  {
    file: 'shared/domain/retry-after.ts',
    mutants: ['\'\' → "Stryker was here!"'],
    why: 'either is no time to wait for',
  },
  {
    file: 'shared/domain/retry-after.ts',
    mutants: ['status === null → false'],
    why: FOR_THE_TYPE,
  },
  {
    file: 'shared/domain/settlement.ts',
    mutants: ['netMinor > max → netMinor >= max'],
    why: 'of exactly the most, both take the same',
  },
  {
    file: 'shared/domain/statistics.ts',
    mutants: ['latest < today → latest <= today'],
    why: 'where both days are the same, either is the last',
  },
];
