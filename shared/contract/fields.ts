import * as v from 'valibot';
import { isCalendarDate, parseInstant, toTimestamp } from '../domain/clock.ts';
import { AMOUNT_MAX_MINOR, AMOUNT_MIN_MINOR, CURRENCIES } from '../domain/money.ts';
import { PHONE_MAX_CHARS, toE164 } from '../domain/phone.ts';
import { PLAIN_URL, readPlainUrl } from '../domain/plain-url.ts';
import type { Mode } from '../domain/world.ts';
import type { FieldError } from '../errors/field-error.ts';

/*
 * The parts of request and response schemas. `v.metadata` describes in the OpenAPI document what a `v.check` checks in
 * code. The `.docs.ts` file of a page describes what its fields mean.
 */

// biome-ignore lint/suspicious/noExplicitAny: any schema can have a name
export type AnySchema = v.GenericSchema<any, any>;

/**
 * A schema that the OpenAPI document lists by this name and refers to elsewhere. Name no enumeration that shares a value
 * with another one: generated Go would have two constants of the same name.
 */
export function component<const Schema extends AnySchema>(name: string, schema: Schema) {
  return v.pipe(schema, v.metadata({ component: name }));
}

const TEXT_MAX_CHARS = 500;
/** Unicode's control and format characters, except line breaks, tabs and the two joiners that scripts and emoji need. */
const UNSEEN = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/u;
/**
 * The characters of `UNSEEN` for the document, in syntax that regular expressions of every language support: without code points of more
 * than four hexadecimal digits.
 */
const UNSEEN_CHARS =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb';
const CLEAN_PATTERN = `^[^${UNSEEN_CHARS}]*$`;
const BREAK_CHARS = '\\u0009\\u000a\\u000d\\u2028\\u2029';
const SPACE_CHARS = `${BREAK_CHARS}\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000`;
const LINE = new RegExp(
  `^[^${UNSEEN_CHARS}${SPACE_CHARS}](?:[^${UNSEEN_CHARS}${BREAK_CHARS}]*[^${UNSEEN_CHARS}${SPACE_CHARS}])?$`,
  'u',
);
/** The year 2570 of the Buddhist era is 2027. No date of this service is in years that look so. */
const BUDDHIST_ERA = /^2[4-9]\d{2}-/;
const BUDDHIST_ERA_MESSAGE =
  'max: is in a year that looks like one of the Buddhist era: send the year less 543, as 2027 for 2570';
/** For the document: what every reader of patterns can check of `readPlainUrl`. */
const WEB_URL = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\\]+$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** Needed beside the URL parser, which drops line breaks and tabs. */
const IPV6_CHARS = /^[\da-f:.]+$/i;
export const URL_MAX_CHARS = 2_048;
/** An IPv6 address with every group written out, the last two as IPv4. */
const IP_MAX_CHARS = 45;
/** The kinds of an object by the value of its `type`, each with its allowed and its required fields. */
export type Variants = Readonly<Record<string, Variant>>;
type Variant = Readonly<Record<'name' | 'label', string> & Record<'allowed' | 'required', readonly string[]>>;

const INT32_MAX = 2 ** 31 - 1;

/** Text of whole, visible characters, which every store can hold. */
export function text(minChars: number, maxChars: number) {
  return v.pipe(
    v.string(),
    v.minLength(minChars),
    v.maxLength(maxChars),
    v.check(isCleanText),
    v.metadata({ pattern: CLEAN_PATTERN }),
  );
}

/** Such a text on one line, without spaces around it. */
export function line(minChars: number, maxChars: number) {
  return v.pipe(
    text(minChars, maxChars),
    v.check((value) => LINE.test(value)),
    v.metadata({ pattern: LINE.source }),
  );
}

export const description = text(0, TEXT_MAX_CHARS);
export const reference = text(1, 255);
/** The beginning of a reference, long enough to tell some from others. */
export const referencePrefix = text(3, 255);
/** What somebody writes who has dealt with a payment. */
export const handledNote = text(0, TEXT_MAX_CHARS);
export const personName = text(1, 120);
/** As a browser's email field checks it, so that forms and the API agree (HTML standard, valid email address). */
export const email = v.pipe(v.string(), v.maxLength(254), v.rfcEmail());

/** An email in a query: letters of either case are equal. */
export const emailInQuery = v.pipe(
  email,
  v.transform((value) => value.toLowerCase()),
);

/** Minor units in a query, where every value is text. */
export const minorInQuery = v.pipe(
  v.string(),
  v.maxLength(String(AMOUNT_MAX_MINOR).length),
  v.regex(/^[1-9]\d*$/),
);

/** An id in a query. It is limited because it becomes part of a key of the store, of at most 2 KB. */
export const soughtId = v.pipe(v.string(), v.maxLength(64));

/** As people write it, and as E.164 from here on (contract §5). */
export const phone = v.pipe(
  v.string(),
  v.maxLength(PHONE_MAX_CHARS),
  v.check(
    (value) => toE164(value) !== null,
    'format: must be a phone number, such as 081-234-5678 or +66 81 234 5678',
  ),
  v.transform((value) => toE164(value) ?? value),
);

/** An absolute http(s) address without credentials. */
export const webUrl = v.pipe(
  v.string(),
  v.maxLength(URL_MAX_CHARS),
  v.check(
    (value) => readPlainUrl(value) !== null,
    `format: must be an absolute http or https URL ${PLAIN_URL}`,
  ),
  v.metadata({ format: 'uri', pattern: WEB_URL.source }),
);

/** An IPv4 or IPv6 address, including `::ffff:203.0.113.7` as proxies write it. */
export const clientIp = v.pipe(
  v.string(),
  // No format means "IPv4 or IPv6", and generators of clients do not support a choice of two formats.
  v.maxLength(IP_MAX_CHARS),
  v.check(isIpAddress),
);

/** Checks that an object has only the fields of its kind, and all required ones, even if they have other errors. */
export function ofOneKind<Input>(variants: Variants): v.RawCheckAction<Input> {
  const fields = new Set(Object.values(variants).flatMap(({ allowed }) => allowed));
  return v.rawCheck(({ dataset, addIssue }) => {
    const input: Readonly<Record<string, unknown>> = Object(dataset.value);
    const kind = Object.entries(variants).find(([type]) => type === input.type)?.[1];
    for (const key of kind === undefined ? [] : fields) {
      const value = input[key];
      const isMissing = value === undefined && kind?.required.includes(key);
      if (isMissing || (value !== undefined && !kind?.allowed.includes(key))) {
        const message = `${isMissing ? 'required: is required' : 'conflict: is not allowed'} for ${kind?.label}`;
        addIssue({ message, path: [{ type: 'unknown', origin: 'value', input, key, value }] });
      }
    }
  });
}

/** Names the era of a year such as 2570. */
const ofCommonEra = v.rawCheck<string>(({ dataset, addIssue }) => {
  if (dataset.typed && BUDDHIST_ERA.test(dataset.value)) {
    addIssue({ message: BUDDHIST_ERA_MESSAGE });
  }
});

/** RFC 3339 in any of its forms, and in the form of timestamps from here on. */
export const instant = v.pipe(
  v.string(),
  v.check((value) => parseInstant(value) !== null),
  ofCommonEra,
  v.metadata({ format: 'date-time' }),
  v.transform((value) => {
    const atMs = parseInstant(value);
    return atMs === null ? value : toTimestamp(atMs);
  }),
);

/** An instant in a query, where an unescaped `+` is a space. */
export const instantInQuery = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && /:\d{2}(\.\d+)? \d{2}:\d{2}$/.test(dataset.value)) {
      addIssue({ message: 'format: has a space before its offset: write a "+" in a query as %2B' });
    }
  }),
  v.metadata({ format: 'date-time' }),
  instant,
);

/** A day in a query, YYYY-MM-DD. A pattern and no format `date`, because generated clients would send that with a time. */
export const dayInQuery = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}$/),
  v.check(isCalendarDate),
  ofCommonEra,
);

/** A day, YYYY-MM-DD. */
export const calendarDate = v.pipe(
  v.string(),
  v.check(isCalendarDate),
  ofCommonEra,
  v.metadata({ format: 'date' }),
);

/** A field of a raw body or query as `instant` reads it, in epoch milliseconds; null where `instant` refuses it. */
export function readInstant(value: unknown): number | null {
  return typeof value === 'string' && !BUDDHIST_ERA.test(value) ? parseInstant(value) : null;
}

/** A field of a raw body or query, if it is a day that a schema accepts; otherwise null. */
export function readDay(value: unknown): string | null {
  return typeof value === 'string' && !BUDDHIST_ERA.test(value) && isCalendarDate(value) ? value : null;
}

/** An integer. Its format sets its size in generated clients. */
export function integer(min: number, max: number) {
  const format = max > INT32_MAX ? 'int64' : 'int32';
  return v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max), v.metadata({ format }));
}

export const currency = component('Currency', v.picklist(CURRENCIES));

export const money = component('MoneyInput', moneyUpTo(AMOUNT_MAX_MINOR));

export function moneyUpTo(maxMinor: number) {
  return v.strictObject({ currency, minor: integer(AMOUNT_MIN_MINOR, maxMinor) });
}

/** Special names of JavaScript. Metadata cannot have them, because valibot silently drops them from a map. */
export const RESERVED_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Beyond these, readers of JSON change a number silently. */
const storedNumber = v.pipe(
  v.number(),
  v.minValue(
    Number.MIN_SAFE_INTEGER,
    `min: must be at least ${Number.MIN_SAFE_INTEGER}: send a lower number as text`,
  ),
  v.maxValue(
    Number.MAX_SAFE_INTEGER,
    `max: must be at most ${Number.MAX_SAFE_INTEGER}: send a higher number as text`,
  ),
);

export const metadata = component(
  'MetadataInput',
  v.pipe(
    v.record(
      v.pipe(text(1, 40), v.metadata({ not: { enum: RESERVED_NAMES } })),
      v.union([text(0, TEXT_MAX_CHARS), storedNumber, v.boolean(), v.null()]),
    ),
    v.maxEntries(50),
  ),
);

/* --- responses: the service writes them itself, so they need types, not bounds --- */

export const timestamp = v.pipe(v.string(), v.isoTimestamp());
/** An integer that stays below 2^31. */
export const int32 = v.pipe(v.number(), v.integer(), v.metadata({ format: 'int32' }));
/** An integer that may be larger: money, and counts that never stop. */
export const int64 = v.pipe(v.number(), v.integer(), v.metadata({ format: 'int64' }));
export const moneyResponse = component('Money', v.object({ currency: v.string(), minor: int64 }));
export const metadataResponse = component(
  'Metadata',
  v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()])),
);

export function idResponse(prefix: string) {
  return v.pipe(v.string(), v.regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)));
}

/** Whether every character is whole and visible, so that no text can hide or reorder a part of itself. */
export function isCleanText(value: string): boolean {
  return value.isWellFormed() && !UNSEEN.test(value);
}

/** Checks IPv6 by the URL parser, because valibot's pattern refuses addresses of six groups and an IPv4 address. */
function isIpAddress(value: string): boolean {
  return IPV4.test(value) || (IPV6_CHARS.test(value) && URL.canParse(`http://[${value}]`));
}

/** In live mode, `return_url` must be https (contract §3). */
export function checkReturnUrl(
  { return_url: url }: Readonly<Record<string, unknown>>,
  mode: Mode,
): FieldError[] {
  return mode === 'live' && typeof url === 'string' && readPlainUrl(url)?.protocol === 'http:'
    ? [{ code: 'format', field: 'return_url', message: 'must begin with https:// in live mode' }]
    : [];
}
