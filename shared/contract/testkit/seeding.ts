import * as v from 'valibot';
import { toTimestamp } from '../../domain/clock.ts';
import { byPlural, RESOURCE_NAMES } from '../../domain/resource.ts';
import type { SeedReport } from '../../domain/testkit/seed.ts';
import { SEED_PROFILES } from '../../domain/testkit/seed-script.ts';
import { component, idResponse, int32, int64, timestamp } from '../fields.ts';
import { countersOf, LONG_FUNCTION_TIMEOUT_SECONDS, type Operation } from '../operation.ts';

const profile = component('SeedProfile', v.picklist(SEED_PROFILES));

const counts = component(
  'SeedCounts',
  v.object({
    payments: int32,
    refunds: int32,
    payment_links: int32,
    payouts: int32,
    settlements: int32,
    sinks: int32,
  }),
);

const seedResponse = v.object({
  action_id: idResponse('act'),
  already_seeded: v.boolean(),
  profile,
  created: counts,
  ids: v.record(v.string(), v.string()),
  skipped: counts,
  summary: component(
    'SeedSummary',
    v.object({
      from: timestamp,
      to: timestamp,
      gross_minor: int64,
      refunded_minor: int64,
      currency: v.string(),
    }),
  ),
});
type SeedView = v.InferInput<typeof seedResponse>;

export const seedOperations = {
  seedTestData: {
    id: 'testkit.SeedTestData',
    method: 'POST',
    path: '/api/v1/test/seed',
    summary: 'Seed the test world with sample data',
    description:
      "`small` has ten payments and their related objects, `month` 300 payments of the last 30 days, `e2e` one object in every status. A profile is added once, to whatever exists: a repeated seed returns `already_seeded: true` with the same ids. `ids` has notable objects by name. Seeded history sends no webhooks; open objects continue on the merchant's clock.",
    permission: 'seed',
    mode: 'test',
    idempotent: true,
    stepwise: true,
    storage: {
      get: ['SEED', 'PAYMENT', 'REFUND', 'LINK', 'SETTLEMENT'],
      query: ['ENDPOINTS'],
      put: [
        'SEED',
        'PAYMENT',
        'REFUND',
        'LINK',
        'CODE',
        'PAYOUT',
        'SETTLEMENT',
        'SETTLED',
        'ENDPOINTS',
        'TOKEN',
        'JOBS',
      ],
      update: ['SEED', 'BALANCES'],
      updateWorld: countersOf(...RESOURCE_NAMES),
    },
    timeoutSeconds: LONG_FUNCTION_TIMEOUT_SECONDS,
    body: v.strictObject({ profile }),
    success: { status: 200, name: 'SeedReport', schema: seedResponse },
    errors: ['seed_in_progress'],
    example: { profile: 'small' },
  },
} as const satisfies Record<string, Operation>;

/** What a seed has put into the world, now or earlier (contract §12). */
export function viewSeed(report: SeedReport): SeedView {
  const { fromMs, toMs, grossMinor, refundedMinor, currency } = report.summary;
  return {
    action_id: report.actionId,
    already_seeded: report.alreadySeeded,
    profile: report.profile,
    created: { ...byPlural(report.created.made), sinks: report.created.sinks },
    ids: report.ids,
    skipped: { ...byPlural(report.skipped.made), sinks: report.skipped.sinks },
    summary: {
      from: toTimestamp(fromMs),
      to: toTimestamp(toMs),
      gross_minor: grossMinor,
      refunded_minor: refundedMinor,
      currency,
    },
  };
}
