/** Where merchants and payers are: the time that people are shown. */
const ZONE = 'Asia/Bangkok';
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const UNITS = [
  ['d', DAY_S],
  ['h', HOUR_S],
  ['min', MINUTE_S],
] as const;

const dayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, day: 'numeric', month: 'short' });
const yearFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const timeFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const isoDayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE });

/** `24 Nov, 18:39:09` in Bangkok, with the year if it is not the current one. */
export function bangkokTime(instant: Date, now: Date): string {
  const isThisYear = bangkokDay(instant).slice(0, 4) === bangkokDay(now).slice(0, 4);
  return `${(isThisYear ? dayFormat : yearFormat).format(instant)}, ${timeFormat.format(instant)}`;
}

/** `2026-11-24`, the day in Bangkok. */
export function bangkokDay(instant: Date): string {
  return isoDayFormat.format(instant);
}

/** `24 Nov` of `2026-11-24`. */
export function bangkokDate(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00+07:00`));
}

/** `3 h ago`, `in 2 d`, `just now`. */
export function relativeTime(instant: Date, now: Date): string {
  const seconds = Math.round((instant.getTime() - now.getTime()) / 1_000);
  const length = Math.abs(seconds);
  const [unit, size] = UNITS.find(([, each]) => length >= each) ?? ['s', 1];
  const text = `${Math.floor(length / size)} ${unit}`;
  if (length < 5) {
    return 'just now';
  }
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}

/** `1 d 2 h 5 min`; empty below a minute. */
export function lengthOfTime(seconds: number): string {
  let left = seconds;
  const facts = UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? '' : `${count} ${unit}`;
  });
  return facts.filter(Boolean).join(' ');
}

/** The seconds of `90s`, `15m`, `1h`, `30d`; null for anything else. */
export function parseLength(text: string): number | null {
  const [, count, unit] = /^(\d{1,8})\s*([smhd])$/.exec(text.trim().toLowerCase()) ?? [];
  const sizes = { s: 1, m: MINUTE_S, h: HOUR_S, d: DAY_S };
  return count === undefined ? null : Number(count) * sizes[unit as keyof typeof sizes] || null;
}
