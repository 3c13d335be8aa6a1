import { createHash } from 'node:crypto';
import { RESOURCE_NAMES, RESOURCES } from '../../../shared/domain/resource.ts';

/** The first letters of numbers. */
const LETTERS = RESOURCE_NAMES.map((name) => RESOURCES[name].letter).join('');

const SHARD =
  /(#JOBS#|#EVENTS#\d+#|#OUTBOX#|#PROVIDER-EVENTS#|DUE#|#UNLISTED#|#DELIVERIES#(?:snk|whe)_\w{26}#)\d+/g;
/** The part of a response that says how long a delivery took. */
const DURATION = /(duration_ms\\*":)\d+/g;
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** Milliseconds, padded or not, of these years; and seconds. */
const MILLISECONDS = /(?<![\d.])0{0,2}([12]\d{12})(\.\d+)?(?!\d)/g;
const SECONDS = /(?<![\d.])([12]\d{9})(?!\d)/g;
/** Drawn or counted again in each run: ids, also of worlds and spans, secrets, hashes, tokens, signatures, codes, numbers, QR payloads. */
const DRAWN = new RegExp(
  `(${[
    '000201[0-9A-Z.]+',
    String.raw`\bw[0-9a-f]{15}\b`,
    '[a-z]{2,6}_[0-9a-hjkmnp-tv-z]{26}',
    '[A-Za-z0-9+/]{22,}={0,2}',
    '(?<=00-[0-9a-f]{32}-)[0-9a-f]{16}',
    String.raw`(?<=\/l\/|CODE#|code\\*":\\*"|Sk":")[0-9a-hjkmnp-tv-z]{10}\b`,
    String.raw`(?<=last4":")\w{4}`,
    String.raw`\b[${LETTERS}]-\d{6}`,
  ].join('|')})`,
);
const KIND = new RegExp(`^([a-z]{2,6}_|[${LETTERS}]-)`);
const NAMED = new RegExp(`<([a-z_]+|[${LETTERS}]-|~)[0-9a-f]{8}>`, 'g');
const ROUNDS = 4;
const BUCKET_MS = 60_000;

/**
 * Texts (items of a table, responses) without the differences that two equal runs may have. Each drawn value is named
 * by the places in which it stands, so two runs are equal if and only if renaming ids turns one into the other. Times
 * are compared by the minute since the start.
 */
export function canonical(texts: readonly string[], beganAtMs: number): string {
  const split = texts.map((text) =>
    text
      .replace(SHARD, '$1*')
      .replace(DURATION, '$1*')
      .split(DRAWN)
      .map((part, index) => (index % 2 === 1 ? part : withoutTimes(part, beganAtMs))),
  );
  let names = new Map<string, string>();
  for (const parts of split) {
    for (const drawn of parts.filter((_, index) => index % 2 === 1)) {
      names.set(drawn, kindOf(drawn));
    }
  }
  for (let round = 1; round <= ROUNDS; round += 1) {
    names = rename(split, names);
  }
  return split
    .map((parts) => named(parts, names))
    .toSorted()
    .join('\n');
}

/** What only one of two such worlds has, in few words: differences besides drawn values first. */
export function differenceOf(
  one: string,
  other: string,
): { readonly only: string[]; readonly other: string[] } {
  const bare = (world: string) => world.replace(NAMED, '<$1>');
  const [ones, others] = bare(one) === bare(other) ? [one, other] : [bare(one), bare(other)];
  return { only: without(ones, others), other: without(others, ones) };
}

function without(world: string, other: string): string[] {
  const left = other.split('\n');
  return world.split('\n').filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) {
      left.splice(index, 1);
    }
    return index < 0;
  });
}

/** Names each drawn value by the texts in which it stands, and where. */
function rename(split: readonly string[][], names: ReadonlyMap<string, string>): Map<string, string> {
  const positions = new Map<string, string[]>();
  for (const parts of split) {
    const signature = digest(named(parts, names));
    for (const [index, drawn] of parts.entries()) {
      if (index % 2 === 1) {
        positions.set(drawn, [...(positions.get(drawn) ?? []), `${signature}:${index}`]);
      }
    }
  }
  return new Map(
    [...positions].map(([drawn, found]) => [drawn, `${kindOf(drawn)}${digest(found.toSorted().join())}`]),
  );
}

function named(parts: readonly string[], names: ReadonlyMap<string, string>): string {
  return parts.map((part, index) => (index % 2 === 1 ? `<${names.get(part)}>` : part)).join('');
}

function kindOf(drawn: string): string {
  return KIND.exec(drawn)?.[0] ?? '~';
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function withoutTimes(text: string, beganAtMs: number): string {
  const bucket = (ms: number) => `<${Math.floor((ms - beganAtMs) / BUCKET_MS)} min>`;
  return text
    .replace(TIMESTAMP, (time) => bucket(Date.parse(time)))
    .replace(MILLISECONDS, (_, ms: string) => bucket(Number(ms)))
    .replace(SECONDS, (_, seconds: string) => bucket(Number(seconds) * 1_000));
}
