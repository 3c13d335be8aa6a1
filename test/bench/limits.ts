import type { Figures } from './section.ts';

/** What a figure must not exceed, or must reach: else the bench fails. And how far it is to get, where it is not there yet. */
export type Limit = ({ readonly atMost: number } | { readonly atLeast: number }) &
  (
    | { readonly goal?: never; readonly between?: never }
    | {
        readonly goal: number;
        /** What stands between the figure and its goal. */
        readonly between: string;
      }
  );

/** The limits of each section, by figure. */
export const LIMITS = {
  operations: {
    'life.write_units': {
      atMost: 38,
      goal: 34,
      between:
        "Four units are the due index of the outbox, which finds what the stream has lost; two a provider's event, whose id counts once in the whole world; two a day's balance, which is right at once.",
    },
    'life.read_units': {
      atMost: 20,
      goal: 14,
      between:
        'The key and the world are read consistently with each request, since a revoked key ends with the next one; and the world before each first attempt, since a purge stops it.',
    },
    'life.usd_per_million': { atMost: 46, goal: 42, between: 'The units above.' },
    'operations.rounds_max': { atMost: 3 },
    // A page of these filters is found near its beginning.
    'operations.filtered_read_units_max': { atMost: 60 },
    'operations.filtered_to_unfiltered_max': { atMost: 3 },
    // Of it, $1.42 are for smoke payments: 9,000 of them, the secret with their key, and their alarm.
    'rest.usd_per_month': { atMost: 9 },
  },
  'cold-start': {
    // Against the SDK alone, made and loaded in the same way.
    'cold_start.create_payment_processor_to_sdk': {
      atMost: 1.7,
      goal: 1.15,
      between:
        "Beside the SDK, a bundle has the service itself, Powertools with JMESPath, and the client that reads live providers' secrets: as many bytes again.",
    },
    'cold_start.get_payment_processor_to_sdk': {
      atMost: 1.35,
      goal: 1.1,
      between: 'The service itself, which reads no secrets and replays nothing here.',
    },
  },
  'side-by-side': {
    // Against a server that makes the same calls with the same client and does nothing else: no service can be faster.
    'side_by_side.disk_16_clients_to_floor': {
      atLeast: 0.5,
      goal: 0.8,
      between:
        'The floor makes the calls of a creation and no more. On the same processors, this service publishes and dispatches what was created, which takes more calls than the creation.',
    },
    'side_by_side.memory_16_clients_to_floor': { atLeast: 0.38, goal: 0.7, between: 'As on disk.' },
    'side_by_side.kept_at_100000_stored_1_client': { atLeast: 0.9 },
    'side_by_side.kept_at_100000_stored_16_clients': { atLeast: 0.9 },
  },
  local: {
    'local.first_answer_ms': {
      atMost: 1_200,
      goal: 600,
      between: 'The engine starts, both threads load what they need, and the first function.',
    },
    'local.rest_mb': {
      atMost: 220,
      goal: 150,
      between:
        'Requests have one thread, clock and jobs another, so that neither waits for the other: each has a heap with the SDK and the functions that it has loaded.',
    },
    'local.rest_after_5000_creates_mb': {
      atMost: 320,
      goal: 250,
      between: 'Two heaps, which give back what they grew by when they rest.',
    },
    'local.move_1000_ms': {
      atMost: 4_000,
      goal: 1_500,
      between: "Each expiry is one transaction's share, a publication and a removal.",
    },
    'local.move_1000_processor_ms': { atMost: 3.5, goal: 2.5, between: 'As the line before.' },
    'local.move_10000_ms': { atMost: 20_000 },
    'local.p97_beside_fork_to_quiet': {
      atMost: 12,
      goal: 3,
      between:
        'The engine makes one write at a time: each of the three calls of a creation may wait for a transaction of a copy, of 25 items; and both share one thread.',
    },
    'local.p97_beside_move_to_quiet': {
      atMost: 12,
      goal: 3,
      between: 'As beside a fork: a transaction has twelve expiries, of four writes each.',
    },
    'local.p97_beside_purge_to_quiet': { atMost: 6, goal: 3, between: 'As beside a fork.' },
    'local.p97_beside_seed_to_quiet': {
      atMost: 15,
      goal: 3,
      between: 'As beside a fork: a transaction of a seed has ninety items.',
    },
    'local.worlds_64_refused': { atMost: 20, goal: 0, between: 'See the next two.' },
    'local.worlds_64_p99_ms': {
      atMost: 2_000,
      goal: 150,
      between:
        '128 payments a second with their webhooks, and the client that sends them, need more than two processors.',
    },
    'local.worlds_64_webhook_p99_ms': { atMost: 10_000, goal: 1_000, between: 'As the line before.' },
  },
  lists: {
    'lists.exported_per_second': {
      atLeast: 2_000,
      goal: 5_000,
      between: 'A page of 100 is read, unpacked and shown by one processor.',
    },
    'lists.memory_growth_mb': { atMost: 80 },
    'lists.newest_page_at_100000_to_100': { atMost: 1.6 },
    'lists.middle_page_to_newest': { atMost: 1.6 },
    'lists.reference_to_newest': { atMost: 1.6 },
    'lists.creation_at_100000_to_100': { atMost: 1.5 },
  },
  runner: {
    'runner.cpu_ms_per_payment': { atMost: 7 },
    'runner.creates_per_second_held': {
      atLeast: 50,
      goal: 200,
      between:
        'A payment with its two webhooks takes host and engine some 8 ms of a processor, and the client and the endpoint share the same two.',
    },
  },
  scale: {
    'scale.one_merchant_payments_per_second': {
      atLeast: 850,
      goal: 1_000,
      between:
        'Each of three requests reads the world, consistently, and each run does twice: an item takes 3,000 read units a second. All writes have room for a thousand.',
    },
  },
  isolation: {
    'isolation.fresh_p99_ms': { atMost: 1_000 },
    'isolation.p99_beside_bad_to_alone': { atMost: 2 },
    'isolation.lateness_beside_bad_to_alone': { atMost: 1.5 },
  },
  package: {
    'package.tarball_mb': { atMost: 3 },
    'package.installed_mb': { atMost: 20 },
    'package.packages': { atMost: 3 },
    'package.empty_cache_to_webhook_ms': { atMost: 10_000 },
    'package.start_ms': { atMost: 800 },
    'package.help_ms': { atMost: 300 },
    'package.ready_mb': { atMost: 140 },
  },
  worlds: {
    'worlds.create_p50_ms': { atMost: 50 },
    'worlds.kept_with_10000_ended': { atLeast: 0.9 },
    'worlds.helper_p50_ms': { atMost: 50 },
    'worlds.helper_with_start_p50_ms': { atMost: 1_500 },
    'worlds.fork_1000_payments_ms': {
      atMost: 2_000,
      goal: 600,
      between: 'The engine alone works 0.7 s for the 4,000 items of a thousand payments.',
    },
    'worlds.suite_of_own_worlds': { atMost: 1 },
  },
  exam: {
    'exam.whole_ms': { atMost: 60_000 },
    'exam.false_alarms': { atMost: 0 },
    'exam.zoo_caught': { atLeast: 0.95 },
    'exam.shown_events_max': { atMost: 5 },
  },
  /** Nothing is measured. */
  prediction: {},
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
    return isWithin(value, limit)
      ? []
      : [`${name} is ${rounded(value)}; its limit is ${describeLimit(limit)}`];
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
  if (rows.length === 0) {
    return [];
  }
  const short = Object.entries(limits).flatMap(([name, limit]) =>
    limit.goal === undefined || isWithin(figures[name], goalOf(limit))
      ? []
      : [`- \`${name}\`: ${limit.between}`],
  );
  return [
    '| Figure | Limit | Goal | Before | Measured |',
    '|---|---|---:|---:|---:|',
    ...rows,
    ...(short.length === 0 ? [] : ['', 'What stands between these and their goals:', '', ...short]),
  ];
}

/** The goal as a limit. */
function goalOf({ goal = 0, ...limit }: Limit) {
  return 'atMost' in limit ? { atMost: goal } : { atLeast: goal };
}

function isWithin(value: number | undefined, limit: { atMost: number } | { atLeast: number }): boolean {
  // NaN is within nothing.
  return value !== undefined && ('atMost' in limit ? value <= limit.atMost : value >= limit.atLeast);
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
