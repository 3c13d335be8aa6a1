const UNITS = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;
const DURATION = /^(?=\d)(?:(?<d>\d{1,4})d)?(?:(?<h>\d{1,6})h)?(?:(?<m>\d{1,8})m)?(?:(?<s>\d{1,9})s)?$/;

/**
 * `90s`, `15m`, `2h`, `3d`, `1h30m` in seconds.
 * @throws Error that shows the format, and follows the name of an option
 */
export function parseDurationSeconds(text: string): number {
  const groups = DURATION.exec(text)?.groups;
  if (groups === undefined) {
    throw new Error('takes a duration: 90s, 15m, 2h, 3d, 1h30m.');
  }
  return Object.entries(UNITS).reduce((sum, [unit, seconds]) => sum + Number(groups[unit] ?? 0) * seconds, 0);
}
