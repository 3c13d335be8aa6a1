import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import type { Seen } from '../../faults/model/invariants.ts';
import type { Client } from '../../support/world/api.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Shops } from '../shops.ts';
import type { Break } from './law.ts';

/*
 * What every merchant can see at rest: lists by their filters, sums, and the log of deliveries.
 */

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly created_at: string };
interface Filter {
  readonly query: Readonly<Record<string, string>>;
  readonly lets: (row: Row) => boolean;
}

const BANGKOK_MS = 7 * 3_600_000;
const DAY_MS = 86_400_000;
const DAYS_MAX = 92;
const SECOND_MS = 1_000;
/** Between attempts, in seconds (contract §10). */
const PAUSES_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
/** So many filters of a list are tried. */
const FILTERS_TRIED = 2;

/** Reads a list by some of its filters, in pages of a few, and compares it with the whole. */
export async function judgeLists(
  api: Client,
  seen: Seen,
  random: SeededRandom,
  report: Break,
): Promise<void> {
  for (const [row, all, fields] of [
    [
      operations.listPayments,
      seen.payments,
      ['status', 'method', 'reference', 'number', 'amount_minor', 'customer_email', 'reference_prefix'],
    ],
    [operations.listRefunds, seen.refunds, ['status', 'payment_id']],
  ] as const) {
    const newest = (all as unknown as readonly Row[]).toReversed();
    for (let tried = 0; tried < FILTERS_TRIED && newest.length > 0; tried += 1) {
      const filter = filterOf(
        random.pick([...fields, 'created_from', 'created_to', 'all']),
        random.pick(newest),
      );
      const limit = 1 + random.below(4);
      const found = await idsOf(api, row, { ...filter.query, limit: String(limit) }, newest.length);
      const expected = newest.filter(filter.lets).map(({ id }) => id);
      if (found.join() !== expected.join()) {
        const asked = JSON.stringify(filter.query);
        report(
          'list',
          `${row.path} by ${asked} in pages of ${limit} has ${found.length} of ${expected.length}`,
        );
      }
    }
  }
}

/** @param most so many rows are there: a list that has more may have no end */
async function idsOf(
  api: Client,
  row: Operation,
  query: Readonly<Record<string, string>>,
  most: number,
): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const { json } = await (api as unknown as AnyClient)(row, {
      query: { ...query, ...(after !== null && { after }) },
    });
    const page = json as { data: Row[]; next_cursor: string | null };
    ids.push(...page.data.map(({ id }) => id));
    after = page.next_cursor;
  } while (after !== null && ids.length <= most);
  return ids;
}

type AnyClient = (row: Operation, sent: object) => Promise<{ readonly json: unknown }>;

/** A filter that lets one row through, and what else it lets through. */
function filterOf(name: string, row: Row): Filter {
  const email = String(row.customer_email ?? '');
  const reference = String(row.reference ?? '');
  const minor = (row.amount as { minor: number }).minor;
  switch (name) {
    case 'created_from':
      return {
        query: { created_from: row.created_at },
        lets: ({ created_at }) => created_at >= row.created_at,
      };
    case 'created_to':
      return { query: { created_to: row.created_at }, lets: ({ created_at }) => created_at < row.created_at };
    case 'amount_minor':
      return {
        query: { amount_minor: String(minor) },
        lets: ({ amount }) => (amount as { minor: number }).minor === minor,
      };
    case 'customer_email':
      return email === ''
        ? EVERYTHING
        : {
            query: { customer_email: email.toUpperCase() },
            lets: (it) => String(it.customer_email ?? '').toLowerCase() === email.toLowerCase(),
          };
    case 'reference_prefix':
      return reference.length < 3
        ? EVERYTHING
        : {
            query: { reference_prefix: reference.slice(0, 5) },
            lets: (it) => String(it.reference ?? '').startsWith(reference.slice(0, 5)),
          };
    case 'all':
      return EVERYTHING;
    default:
      return (row[name] ?? null) === null
        ? EVERYTHING
        : { query: { [name]: String(row[name]) }, lets: (it) => it[name] === row[name] };
  }
}

const EVERYTHING: Filter = { query: {}, lets: () => true };

/** The balance and the statistics of days are sums of what the lists have. */
export async function judgeReports(api: Client, seen: Seen, report: Break): Promise<void> {
  const { json: balance } = await api(operations.getBalance);
  const sum = (rows: readonly { readonly amount: { readonly minor: number } }[]) =>
    rows.reduce((total, { amount }) => total + amount.minor, 0);
  const paid = seen.payments.filter(({ status }) => status === 'succeeded');
  const refunded = seen.refunds.filter(({ status }) => status === 'succeeded');
  const pending = seen.payouts.filter(({ status }) => status === 'pending');
  const out = seen.payouts.filter(({ status }) => status === 'paid');
  const expected = [sum(paid) - sum(refunded) - sum(pending) - sum(out), sum(pending), sum(out)];
  const shown = [balance.unsettled.minor, balance.pending.minor, balance.paid_out.minor];
  if (shown.join() !== expected.join()) {
    report('report', `the balance is ${shown}, where the lists have ${expected}`);
  }
  const toMs = seen.toMs;
  const from = dayOf(toMs - (DAYS_MAX - 1) * DAY_MS);
  const { json: statistics } = await api(operations.getDailyStatistics, { query: { from, to: dayOf(toMs) } });
  const dayAfter = (
    rows: readonly { readonly succeeded_at: string | null; readonly amount: { readonly minor: number } }[],
    day: string,
  ) => {
    const ofDay = rows.filter(({ succeeded_at: at }) => at !== null && dayOf(Date.parse(at)) === day);
    return `${ofDay.length} of ${sum(ofDay)}`;
  };
  for (const { date, paid: paidOf, refunded: refundedOf } of statistics.data) {
    const said = [paidOf, refundedOf].map(({ count, amount }) => `${count} of ${amount.minor}`);
    const are = [dayAfter(paid, date), dayAfter(refunded, date)];
    if (said.join() !== are.join()) {
      report('report', `${date} has ${said} paid and refunded, where the lists have ${are}`);
    }
  }
}

/** The day in Bangkok. */
function dayOf(ms: number): string {
  return new Date(ms + BANGKOK_MS).toISOString().slice(0, 10);
}

/** Settlements are of the day in Bangkok on which they were made, unless another was named. */
export function judgeDays(seen: Seen, report: Break): void {
  for (const { id, value_date: date, created_at: at } of seen.settlements) {
    if (date !== dayOf(Date.parse(at))) {
      report('due-time', `${id} of ${at} is of ${date}`);
    }
  }
}

interface LoggedAttempt {
  readonly event_id: string;
  readonly attempt: number;
  readonly status: string;
  readonly answered_status: number | null;
  readonly attempted_at: string;
  readonly next_attempt_at: string | null;
}

/** Each attempt says when the next one follows, by the schedule and what the receiver has asked for. */
export function judgeSchedule(
  receiver: string,
  attempts: readonly LoggedAttempt[],
  shops: Shops,
  report: Break,
): void {
  for (const {
    event_id,
    attempt,
    status,
    answered_status: answered,
    attempted_at: at,
    next_attempt_at: next,
  } of attempts) {
    const isTaken = answered !== null && answered >= 200 && answered < 300;
    if (isTaken !== (status === 'delivered')) {
      report('schedule', `an attempt that was answered by ${answered} is ${status}`);
    }
    const pause = PAUSES_SECONDS[attempt - 1];
    if (next !== null && pause !== undefined) {
      const longest = PAUSES_SECONDS[attempt] ?? pause;
      const asked = [0, ...shops.waitsOf(receiver, event_id, attempt)].map((ms) => ms / SECOND_MS);
      const due = asked
        .slice(asked.length > 1 && answered !== null ? 1 : 0)
        .map((seconds) => Math.min(Math.max(pause, seconds), longest));
      const waits = Math.round((Date.parse(next) - Date.parse(at)) / SECOND_MS);
      if (!due.includes(waits)) {
        report('schedule', `attempt ${attempt + 1} follows after ${waits} s, where ${due} s are due`);
      }
    } else if (status === 'exhausted' && attempt !== PAUSES_SECONDS.length + 1) {
      report('schedule', `attempt ${attempt} is the last one`);
    }
  }
}
