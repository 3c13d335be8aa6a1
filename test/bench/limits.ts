import type { Figures } from './section.ts';

/** What a figure must not exceed, or must reach: else the bench fails. And how far it is to get, where it is not there yet. */
export type Limit = ({ readonly atMost: number } | { readonly atLeast: number }) & { readonly goal?: number };

/** The limits of each section, by figure. */
export const LIMITS = {
  operations: {
    'life.write_units': { atMost: 38, goal: 34 },
    'life.read_units': { atMost: 20, goal: 14 },
    'life.usd_per_million': { atMost: 46, goal: 42 },
    'operations.rounds_max': { atMost: 3 },
    // A page of these filters is found near its beginning.
    'operations.filtered_read_units_max': { atMost: 60 },
    'operations.filtered_to_unfiltered_max': { atMost: 3 },
    'rest.usd_per_month': { atMost: 8 },
  },
  'cold-start': {
    // Against the SDK alone, made and loaded in the same way.
    'cold_start.create_payment_processor_to_sdk': { atMost: 1.7, goal: 1.15 },
    'cold_start.get_payment_processor_to_sdk': { atMost: 1.35, goal: 1.1 },
  },
  'side-by-side': {
    // Against a server that makes the same calls with the same client and does nothing else: no service can be faster.
    'side_by_side.disk_16_clients_to_floor': { atLeast: 0.5, goal: 0.8 },
    'side_by_side.memory_16_clients_to_floor': { atLeast: 0.38, goal: 0.7 },
    'side_by_side.kept_at_100000_stored_1_client': { atLeast: 0.9 },
    'side_by_side.kept_at_100000_stored_16_clients': { atLeast: 0.9 },
  },
  local: {
    'local.first_answer_ms': { atMost: 1_200, goal: 600 },
    'local.rest_mb': { atMost: 220, goal: 150 },
    'local.rest_after_5000_creates_mb': { atMost: 320, goal: 250 },
    'local.move_1000_ms': { atMost: 4_000, goal: 1_500 },
    'local.move_1000_processor_ms': { atMost: 3.5, goal: 2.5 },
    'local.move_10000_ms': { atMost: 20_000 },
    'local.p97_beside_fork_to_quiet': { atMost: 20, goal: 3 },
    'local.worlds_64_refused': { atMost: 1_000, goal: 0 },
    'local.worlds_64_p99_ms': { atMost: 15_000, goal: 150 },
    'local.worlds_64_webhook_p99_ms': { atMost: 100_000, goal: 1_000 },
  },
  lists: {
    'lists.exported_per_second': { atLeast: 2_000, goal: 5_000 },
    'lists.memory_growth_mb': { atMost: 80 },
    'lists.newest_page_at_100000_to_100': { atMost: 1.6 },
    'lists.middle_page_to_newest': { atMost: 1.6 },
    'lists.reference_to_newest': { atMost: 1.6 },
    'lists.creation_at_100000_to_100': { atMost: 1.5 },
  },
  runner: {
    'runner.cpu_ms_per_payment': { atMost: 7 },
    'runner.creates_per_second_held': { atLeast: 50 },
  },
  scale: {
    'scale.one_merchant_payments_per_second': { atLeast: 850, goal: 1_000 },
  },
  isolation: {
    'isolation.fresh_p99_ms': { atMost: 1_000 },
    'isolation.p99_beside_bad_to_alone': { atMost: 2 },
    'isolation.lateness_beside_bad_to_alone': { atMost: 1.5 },
  },
  worlds: {
    'worlds.create_p50_ms': { atMost: 50 },
    'worlds.kept_with_10000_ended': { atLeast: 0.9 },
    'worlds.helper_p50_ms': { atMost: 50 },
    'worlds.helper_with_start_p50_ms': { atMost: 1_500 },
    'worlds.fork_1000_payments_ms': { atMost: 2_000, goal: 600 },
    'worlds.suite_of_own_worlds': { atMost: 1 },
  },
  exam: {
    'exam.whole_ms': { atMost: 60_000 },
    'exam.false_alarms': { atMost: 0 },
    'exam.zoo_caught': { atLeast: 0.95 },
    'exam.shown_events_max': { atMost: 5 },
  },
  // The last third of the soak against its first.
  soak: {
    'soak.event_lag_growth': { atMost: 1.5 },
    'soak.job_lateness_growth': { atMost: 1.5 },
    'soak.host_memory_growth': { atMost: 1.3 },
    'soak.engine_memory_growth': { atMost: 1.3 },
    'soak.disk_bytes_per_payment_growth': { atMost: 1.3 },
  },
} as const satisfies Record<string, Readonly<Record<string, Limit>>>;

export type SectionName = keyof typeof LIMITS;

/** A sentence for each limit that is missed, or whose figure was not measured. */
export function missedLimits(limits: Readonly<Record<string, Limit>>, figures: Figures): string[] {
  return Object.entries(limits).flatMap(([name, limit]) => {
    const value = figures[name];
    if (value === undefined || Number.isNaN(value)) {
      return [`${name} was not measured; its limit is ${describeLimit(limit)}`];
    }
    const isKept = 'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast;
    return isKept ? [] : [`${name} is ${rounded(value)}; its limit is ${describeLimit(limit)}`];
  });
}

/**
 * The limits and goals as a table, with what was measured.
 * @param before what the table said that this one replaces
 */
export function limitTable(
  limits: Readonly<Record<string, Limit>>,
  figures: Figures,
  before: Figures = {},
): string[] {
  const show = (value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? 'not measured' : rounded(value);
  const rows = Object.entries(limits).map(
    ([name, limit]) =>
      `| \`${name}\` | ${describeLimit(limit)} | ${limit.goal ?? ''} | ${show(before[name])} | ${show(figures[name])} |`,
  );
  return rows.length === 0
    ? []
    : ['| Figure | Limit | Goal | Before | Measured |', '|---|---|---:|---:|---:|', ...rows];
}

/** The figures that such a table says were measured. */
export function measuredIn(text: string): Figures {
  const rows = text.matchAll(/^\| `([a-z0-9_.]+)` \| at (?:most|least) .* \| (-?[\d.]+) \|$/gm);
  return Object.fromEntries([...rows].map(([, name, value]) => [name, Number(value)]));
}

function describeLimit(limit: Limit): string {
  return 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
}

function rounded(value: number): string {
  return String(Number(value.toFixed(2)));
}
