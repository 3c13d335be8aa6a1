import * as v from 'valibot';
import { toTimestamp } from '../../domain/clock.ts';
import { byPlural } from '../../domain/resource.ts';
import type { Purge, PurgedContent } from '../../domain/testkit/purge.ts';
import { component, idResponse, int64, timestamp } from '../fields.ts';
import { LONG_FUNCTION_TIMEOUT_SECONDS, type Operation, WRITE } from '../operation.ts';

/** The parts of the service, as the report of a purge names them. */
const MODULES = ['payments', 'checkout', 'payouts', 'events', 'webhooks', 'testkit', 'clock'];
const countByKind = component('CountByKind', v.record(v.string(), int64));

const purgeResponse = v.object({
  action_id: idResponse('act'),
  status: v.string(),
  reason: v.string(),
  reset_at: timestamp,
  jobs_canceled: int64,
  outbox_canceled: int64,
  deleted: countByKind,
  kept: countByKind,
  modules: v.record(v.string(), v.literal('reset')),
  sequences_reset: countByKind,
});
export type PurgeView = v.InferInput<typeof purgeResponse>;

export const purgeOperations = {
  purgeTestData: {
    ...WRITE,
    id: 'testkit.PurgeTestData',
    path: '/api/v1/test/data',
    permission: 'reset',
    mode: 'test',
    stepwise: true,
    changes: ['purge'],
    timeoutSeconds: LONG_FUNCTION_TIMEOUT_SECONDS,
    body: v.strictObject({}),
    success: { status: 200, name: 'ResetReport', schema: purgeResponse },
    example: {},
  },
} as const satisfies Record<string, Operation>;

/** The report of a purge (contract §12). */
export function viewPurge(purge: Purge, content: PurgedContent): PurgeView {
  return {
    action_id: purge.actionId,
    status: 'completed',
    reason: 'requested',
    reset_at: toTimestamp(purge.resetAtMs),
    jobs_canceled: content.jobs,
    outbox_canceled: content.outbox,
    deleted: {
      ...byPlural(content.made),
      events: content.events,
      webhook_endpoints: content.webhookEndpoints,
      sinks: content.sinks,
    },
    kept: { api_keys: content.apiKeys },
    modules: Object.fromEntries(MODULES.map((name) => [name, 'reset'] as const)),
    sequences_reset: { ...byPlural(purge.counts), events: content.events },
  };
}
