import * as v from 'valibot';
import { toTimestamp } from '../../domain/clock.ts';
import { byPlural, perResource } from '../../domain/resource.ts';
import type { SeedReport } from '../../domain/testkit/seed.ts';
import { SEED_PROFILES } from '../../domain/testkit/seed-script.ts';
import { component, idResponse, int32, int64, timestamp } from '../fields.ts';
import { LONG_FUNCTION_TIMEOUT_SECONDS, type Operation, WRITE } from '../operation.ts';

export const seedProfile = component('SeedProfile', v.picklist(SEED_PROFILES));

const counts = component('SeedCounts', v.object({ ...byPlural(perResource(() => int32)), sinks: int32 }));

const seedResponse = v.object({
  action_id: idResponse('act'),
  already_seeded: v.boolean(),
  profile: v.string(),
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

export const seedOperations = {
  seedTestData: {
    ...WRITE,
    id: 'testkit.SeedTestData',
    path: '/api/v1/test/seed',
    permission: 'seed',
    mode: 'test',
    stepwise: true,
    reads: ['endpoints'],
    changes: ['seed', 'seed-end'],
    timeoutSeconds: LONG_FUNCTION_TIMEOUT_SECONDS,
    body: v.strictObject({ profile: seedProfile }),
    success: { status: 200, name: 'SeedReport', schema: seedResponse },
    errors: ['seed_in_progress'],
    example: { profile: 'small' },
  },
} as const satisfies Record<string, Operation>;

/** What a seed has created in the world, now or earlier (contract §12). */
export function viewSeed(report: SeedReport): v.InferInput<typeof seedResponse> {
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
