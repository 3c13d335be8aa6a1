// @module-tag nightly
import { operations } from '../../../shared/contract/operations.ts';
import type { JobKind } from '../../../shared/domain/job.ts';
import { createEndpoint, createPayment, createRefund } from '../../support/world/resources.ts';
import { type Owner, tryWork } from './try-work.ts';
import { passTime } from './workshop.ts';

const MINUTE_MS = 60_000;
const NEXT_ATTEMPT_MS = 5_000;

/** Those of live worlds talk to a provider: see `../live/jobs.test.ts`. */
type Kind = Exclude<JobKind, 'look-up-payment' | 'look-up-refund' | 'stop-attempt'>;

/** A world with a due job of each kind, and little else. */
const DUE: Readonly<Record<Kind, (owner: Owner) => Promise<void>>> = {
  'deliver-event': async ({ api, runJobs }) => {
    const { json: sink } = await api(operations.createWebhookSink);
    await api(operations.updateWebhookSink, { params: { id: sink.id }, body: { respond_status: 500 } });
    await createPayment(api, { method: undefined });
    await runJobs();
    passTime(NEXT_ATTEMPT_MS);
  },
  'expire-payment': async ({ api, runJobs }) => {
    await createPayment(api);
    await runJobs();
    passTime(15 * MINUTE_MS);
  },
  'approve-refund': async ({ api, runJobs }) => {
    await createRefund(api);
    await runJobs();
    passTime(15 * MINUTE_MS);
  },
  'send-refund': async ({ api, runJobs }) => {
    await createRefund(api);
    passTime(15 * MINUTE_MS);
    await runJobs();
    passTime(MINUTE_MS);
  },
  'apply-simulation': async ({ api, runJobs }) => {
    const { id } = await createPayment(api);
    await runJobs();
    const body = { outcome: 'succeeded', delay_seconds: 60 };
    await api(operations.simulatePayment, { params: { id }, body });
    passTime(MINUTE_MS);
  },
  'recover-events': async ({ api, runJobs }) => {
    const { id } = await createEndpoint(api);
    const since = new Date().toISOString();
    await api(operations.updateWebhookEndpoint, { params: { id }, body: { enabled: false } });
    await createPayment(api);
    await runJobs();
    await api(operations.updateWebhookEndpoint, { params: { id }, body: { enabled: true } });
    await api(operations.recoverEvents, { params: { id }, body: { since } });
  },
  'delete-endpoint': async ({ api, runJobs }) => {
    const { id } = await createEndpoint(api);
    await createPayment(api);
    await runJobs();
    await api(operations.deleteWebhookEndpoint, { params: { id } });
  },
  'delete-epoch': async ({ api }) => {
    await createPayment(api);
    await api(operations.createWebhookSink);
    await api(operations.purgeTestData);
  },
};

tryWork({
  ...DUE,
  // In one transaction.
  'expire-payment, several at once': async ({ api, runJobs }) => {
    await createPayment(api);
    await createPayment(api);
    await createPayment(api, { method: undefined });
    await runJobs();
    passTime(15 * MINUTE_MS);
  },
});
