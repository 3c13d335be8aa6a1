import { timeTexts } from './time-texts.ts';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const UNITS = [
  ['d', DAY_S],
  ['h', HOUR_S],
  ['min', MINUTE_S],
] as const;

/** Bangkok has had no other offset, and no daylight saving time, since 1920. */
const BANGKOK_AHEAD_S = 7 * HOUR_S;

/** `24 Nov, 18:39:09` in Bangkok, where merchants and payers are, with the year if it is not the current one. */
export function bangkokTime(instant: Date, now: Date): string {
  const [day = '', time = ''] = bangkokParts(instant);
  const year = day.slice(0, 4);
  const shownYear = bangkokInstant(now).startsWith(year) ? '' : ` ${timeTexts.calendarYear(Number(year))}`;
  return timeTexts.dateAndTime(`${bangkokDate(day)}${shownYear}`, time);
}

/** `24 Nov 18:39` in Bangkok: for a clock that is always seen. */
export function bangkokMinute(instant: Date): string {
  const [day = '', time = ''] = bangkokParts(instant);
  return `${bangkokDate(day)} ${time.slice(0, 5)}`;
}

/** `18:39` of today, `24 Nov 18:39` of another day. */
export function rowTime(instant: Date, now: Date): string {
  const [day, time = ''] = bangkokParts(instant);
  return day === bangkokParts(now)[0] ? time.slice(0, 5) : bangkokMinute(instant);
}

/** `2026-11-24 18:39:09` in Bangkok: spreadsheets everywhere read it as a time. */
export function bangkokInstant(instant: Date): string {
  return bangkokParts(instant).slice(0, 2).join(' ');
}

/** `24 Nov` of `2026-11-24`. */
export function bangkokDate(day: string): string {
  const [, month, date] = day.split('-').map(Number);
  return `${date} ${timeTexts.months[Number(month) - 1]}`;
}

/** `2026-11-24` and `18:39:09`. */
function bangkokParts(instant: Date): readonly string[] {
  return new Date(instant.getTime() + BANGKOK_AHEAD_S * 1_000).toISOString().split(/[T.]/);
}

/** `3 h ago`, `in 2 d`, `just now`. */
export function relativeTime(instant: Date, now: Date): string {
  const seconds = Math.round((instant.getTime() - now.getTime()) / 1_000);
  const length = Math.abs(seconds);
  const [unit, size] = UNITS.find(([, each]) => length >= each) ?? (['s', 1] as const);
  const text = `${Math.floor(length / size)} ${timeTexts.units[unit]}`;
  if (length < 5) {
    return timeTexts.justNow;
  }
  return seconds < 0 ? timeTexts.ago(text) : timeTexts.ahead(text);
}

/** `1 d 2 h 5 min`; empty below a minute. */
export function lengthOfTime(seconds: number): string {
  let left = seconds;
  const facts = UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? '' : `${count} ${timeTexts.units[unit]}`;
  });
  return facts.filter(Boolean).join(' ');
}

/** Such a length with seconds, where it is below a minute: `42 s`. */
export function secondsText(seconds: number): string {
  return seconds < MINUTE_S ? `${Math.round(seconds)} ${timeTexts.units.s}` : lengthOfTime(seconds);
}

/** The seconds of `90s`, `15m`, `1h`, `30d`; null for anything else. */
export function parseLength(text: string): number | null {
  const [, count, unit] = /^(\d{1,8})\s*([smhd])$/.exec(text.trim().toLowerCase()) ?? [];
  const sizes = { s: 1, m: MINUTE_S, h: HOUR_S, d: DAY_S };
  return count === undefined ? null : Number(count) * sizes[unit as keyof typeof sizes] || null;
}
