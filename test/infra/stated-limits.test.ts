import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { RECEIVERS_AT_ONCE, RESERVED } from '../../infra/aws/constructs/clock-and-jobs.ts';
import { ALARMS } from '../../infra/aws/constructs/observability.ts';
import {
  PUBLIC_CONCURRENCY,
  STATIC_CONCURRENCY,
  THROTTLE,
  WAITING_CONCURRENCY,
} from '../../infra/aws/constructs/payment-api.ts';
import { RATES } from '../../infra/aws/constructs/web-firewall.ts';
import { PAGE_LIMIT_MAX } from '../../shared/contract/list-page.ts';
import { BODY_MAX_BYTES } from '../../shared/http/parse.ts';
import { RUNNER_SLOTS_MAX } from '../../shared/store/scheduler/runner-slots.ts';

const LIMITS: Readonly<Record<string, unknown>> = {
  THROTTLE,
  RATES,
  PUBLIC_CONCURRENCY,
  STATIC_CONCURRENCY,
  WAITING_CONCURRENCY,
  RESERVED,
  RECEIVERS_AT_ONCE,
  RUNNER_SLOTS_MAX,
  BODY_MAX_BYTES,
  PAGE_LIMIT_MAX,
};

const KILOBYTE = 1_024;
const operating = readFileSync('infra/README.md', 'utf8');

function sectionOf(heading: string): string {
  return operating.split(/^## /m).find((section) => section.startsWith(heading)) ?? '';
}

/** Every number in a constant. */
function numbersIn(constant: unknown): number[] {
  return typeof constant === 'number' ? [constant] : Object.values(Object(constant)).flatMap(numbersIn);
}

/** Whether a text states a number, in its own unit or in a larger one. */
function states(text: string, number: number, ...larger: readonly number[]): boolean {
  const forms = [1, ...larger].map((unit) => (number / unit).toLocaleString('en'));
  return forms.some((form) => new RegExp(`(?<![\\d,.])${form}(?!\\d|[,.]\\d)`).test(text));
}

describe('the table of limits', () => {
  const rows = sectionOf('Limits').match(/^\| (?!Limit|-).+$/gm) ?? [];
  test.each(Object.entries(LIMITS))('states %s as it is, and where', (name, limit) => {
    const row = rows.find((one) => one.includes(`\`${name}\``)) ?? '';
    const [, file = ''] = / in `([\w./-]+)` \|/.exec(row) ?? [];
    expect(readFileSync(file, 'utf8')).toContain(`export const ${name}`);
    expect(numbersIn(limit).filter((number) => !states(row, number, KILOBYTE))).toEqual([]);
  });

  it('names no other constants', () => {
    const named = rows.flatMap((row) => row.match(/(?<=`)[A-Z]+(_[A-Z]+)*(?=`)/g) ?? []);
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(LIMITS).toSorted());
  });
});

describe('the runbook', () => {
  const entries = new Map(
    [...sectionOf('Runbook').matchAll(/^- `([\w-]+)`: (.+)$/gm)].map(([, name, text]) => [name, text ?? '']),
  );

  it('says what to do about every alarm, and about no other', () => {
    expect([...entries.keys()].toSorted()).toEqual(Object.keys(ALARMS).toSorted());
  });

  test.each(Object.entries(ALARMS))('says when %s rings', (name, { above }) => {
    const [when = ''] = entries.get(name)?.split(' → ') ?? [];
    // Above one, an alarm counts: times, milliseconds, or seconds.
    expect(above <= 1 || states(when, above, 1_000, 60)).toBe(true);
  });
});
