import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { READING } from '../../shared/contract/views.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/domain/clock.ts';
import { ENDPOINT_FILTERS_MAX, ENDPOINTS_MAX, FAILING_MAX_MS } from '../../shared/domain/endpoint-limits.ts';
import type { AnyMachine } from '../../shared/domain/machine.ts';
import { AMOUNT_MAX_MINOR } from '../../shared/domain/money.ts';
import { DELAY_SECONDS_MAX, EXPIRES_IN_MINUTES_MAX } from '../../shared/domain/payment.ts';
import { LINK_EXPIRES_WITHIN_MS, MAX_USES_MAX } from '../../shared/domain/payment-link.ts';
import { APPROVAL_AFTER_MS, REASON_CODES, REFUND_WINDOW_MS } from '../../shared/domain/refund.ts';
import { REPORTED_NAMES, RESOURCE_NAMES, RESOURCES } from '../../shared/domain/resource.ts';
import { SETTLED_MAX_MINOR } from '../../shared/domain/settlement.ts';
import { STATISTICS_DAYS_MAX } from '../../shared/domain/statistics.ts';
import { numbersOf } from '../../shared/domain/testkit/seed.ts';
import { ADVANCE_SECONDS_MAX } from '../../shared/domain/world.ts';

/* What the prose of the contract says by hand, compared with the code. */

const contract = readFileSync('shared/CONTRACT.md', 'utf8');
const number = (value: number) => value.toLocaleString('en');
const days = (ms: number) => `${ms / DAY_MS} days`;

/** A section of the contract by its number. */
function section(nth: number): string {
  return contract.split(/^## (?=\d)/m).find((text) => text.startsWith(`${nth}. `)) ?? '';
}

const small = numbersOf('small');
const month = numbersOf('month');
test.each([
  [5, `1 to ${number(AMOUNT_MAX_MINOR)}`],
  [5, `\`expires_in_minutes\` (1 to ${number(EXPIRES_IN_MINUTES_MAX)})`],
  [6, `within ${days(REFUND_WINDOW_MS)}`],
  [6, `approved ${APPROVAL_AFTER_MS / MINUTE_MS} minutes after its request`],
  [7, `at most ${days(LINK_EXPIRES_WITHIN_MS)} ahead. \`max_uses\` is 1 to ${number(MAX_USES_MAX)}`],
  [8, number(SETTLED_MAX_MINOR)],
  [9, `(at most ${number(DELAY_SECONDS_MAX)}, seven days)`],
  [11, `1 to ${number(ADVANCE_SECONDS_MAX)} seconds`],
  [12, `\`small\` is ${small.payment} payments`],
  [12, `${small.refund} refunds, ${small.paymentLink} links, a payout`],
  [
    12,
    `\`month\` is ${month.payment} payments over 30 days, ${month.refund} refunds, ${month.paymentLink} links`,
  ],
  [12, `daily settlements and ${month.payout} payouts`],
  [14, `${ENDPOINTS_MAX} at most`],
  [14, `1 to ${ENDPOINT_FILTERS_MAX} of them`],
  [14, `comes ${days(FAILING_MAX_MS)} or more`],
  [18, `both included, at most ${STATISTICS_DAYS_MAX}`],
])('section %i of the contract states what the code does: %s', (nth, text) => {
  expect(section(nth)).toContain(text);
});

test('the contract states every reason code of a refund', () => {
  const stated = section(6).match(/`reason_code` is .*/)?.[0] ?? '';
  expect(stated.match(/(?<=[ ,])\d+(?= \(|:)/g)?.map(Number)).toEqual([...REASON_CODES]);
});

test('the contract names the lists that take a time of creation', () => {
  const plurals = RESOURCE_NAMES.map((name) => RESOURCES[name].plural.replace('_', ' '));
  const names = new Intl.ListFormat('en-GB').format(plurals);
  expect(section(18)).toContain(`The lists of ${names} take \`created_from\``);
});

describe.each(REPORTED_NAMES)('of a %s, the contract states', (name) => {
  const { prefix, letter, events } = RESOURCES[name];
  const machine: AnyMachine | null = RESOURCES[name].machine;

  test('the prefix of its ids, and the letter of its numbers', () => {
    expect(section(13)).toContain(`\`${prefix}_\``);
    expect(section(13)).toMatch(letter === null ? '' : new RegExp(`\`${letter}-`));
  });

  test('the permission that its events take', () => {
    const [stated = ''] = section(14).match(/able to read what is sent\..*/) ?? [];
    const [, after = ''] = stated.split(`\`${String(events[0]).replace(/\..*/, '.*')}\``);
    expect(after.match(/`(\w+\.read)`/)?.[1]).toBe(READING[name]);
  });

  test('each event that happens within a status', () => {
    const within = events.filter((type) => {
      const word = type.slice(type.indexOf('.') + 1);
      return machine !== null && word !== 'created' && !(word in machine);
    });
    const [, ...prose] = contract.split('## 5. Payments');
    for (const type of within) {
      const word = type.slice(type.indexOf('.'));
      expect(prose.join()).toMatch(new RegExp(`\`(${type}|\\${word})\``));
    }
  });
});
