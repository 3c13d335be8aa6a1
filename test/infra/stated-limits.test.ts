import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { resourcesOf } from '../support/tools/resources-of.ts';
import { STACK, synthesized } from './aws/synthesized.ts';

const LIMITS = [
  'THROTTLE',
  'RATES',
  'PUBLIC_CONCURRENCY',
  'STATIC_CONCURRENCY',
  'WAITING_CONCURRENCY',
  'RESERVED',
  'RECEIVERS_AT_ONCE',
  'RUNNER_SLOTS_MAX',
  'BODY_MAX_BYTES',
  'PAGE_LIMIT_MAX',
];

const operating = readFileSync('infra/README.md', 'utf8');

function sectionOf(heading: string): string {
  return operating.split(/^## /m).find((section) => section.startsWith(heading)) ?? '';
}

/** Every number in a constant of a file, without its unit: `* 1_024`. */
function numbersIn(name: string, file: string): number[] {
  const [, value = ''] =
    new RegExp(`^(?:export )?const ${name}\\b.*? = (.+?);$`, 'ms').exec(readFileSync(file, 'utf8')) ?? [];
  const numbers = value.replaceAll(/\/\*.*?\*\//gs, '').match(/(?<!\* )\b\d[\d_]*/g) ?? [];
  return numbers.map((number) => Number(number.replaceAll('_', '')));
}

/** Whether a text states a number, in its own unit or in a larger one. */
function states(text: string, number: number, ...larger: readonly number[]): boolean {
  const forms = [1, ...larger].map((unit) => (number / unit).toLocaleString('en'));
  return forms.some((form) => new RegExp(`(?<![\\d,.])${form}(?!\\d|[,.]\\d)`).test(text));
}

describe('the table of limits', () => {
  const rows = sectionOf('Limits').match(/^\| (?!Limit|-).+$/gm) ?? [];
  test.each(LIMITS)('states %s as it is, and where', (name) => {
    const row = rows.find((one) => one.includes(`\`${name}\``)) ?? '';
    const [, file = ''] = / in `([\w./-]+)` \|/.exec(row) ?? [];
    const numbers = numbersIn(name, file);
    expect(numbers).not.toEqual([]);
    expect(numbers.filter((number) => !states(row, number))).toEqual([]);
  });

  it('names no other constants', () => {
    const named = rows.flatMap((row) => row.match(/(?<=`)[A-Z]+(_[A-Z]+)*(?=`)/g) ?? []);
    expect([...new Set(named)].toSorted()).toEqual(LIMITS.toSorted());
  });
});

describe('the runbook', () => {
  const { template } = synthesized({ isProduction: true, alarmEmail: 'ops@example.com' });
  const alarms = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm'))
    .map(({ Properties: { AlarmName, Threshold } }) => ({
      name: AlarmName.slice(`${STACK}-`.length),
      above: Threshold,
    }))
    // It has the entry of the one that counts those of all merchants.
    .filter(({ name }) => name !== 'notifications-unmatched-of-merchant');
  const entries = new Map(
    [...sectionOf('Runbook').matchAll(/^- `([\w-]+)`: (.+)$/gm)].map(([, name, text]) => [name, text ?? '']),
  );

  it('says what to do about every alarm, and about no other', () => {
    expect([...entries.keys()].toSorted()).toEqual(alarms.map(({ name }) => name).toSorted());
  });

  test.each(alarms)('says when $name rings', ({ name, above }) => {
    const [when = ''] = entries.get(name)?.split(' → ') ?? [];
    // Above one, an alarm counts: times, milliseconds, or seconds.
    expect(above <= 1 || states(when, above, 1_000, 60)).toBe(true);
  });
});
