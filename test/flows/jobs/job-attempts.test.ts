import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { VIEW } from '../../../shared/contract/views.ts';
import { cancelPayment, whenPaymentIsDue } from '../../../shared/domain/payment.ts';
import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import { heldAt, isStep } from '../../support/faults/held-call.ts';
import { newMerchant } from '../../support/world/api.ts';
import { createPayment, worldOf } from '../../support/world/resources.ts';
import { untilQuiet } from '../../support/world/stored-items.ts';

const { moveClock } = await import('../../../shared/flows/testkit/move-clock.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { dynamodb } = await import('../../../shared/store/table/client.ts');
const { find, get } = await import('../../../shared/store/table/entity.ts');
const { remove } = await import('../../../shared/store/table/item.ts');
const { keyOfJob } = await import('../../../shared/store/scheduler/job.ts');
const { writesOf } = await import('../../../shared/store/writes.ts');

const HOUR_SECONDS = 3_600;

/** A world of payments that expire within seconds of one another, and an hour's move of its clock. */
async function worldOfExpiries(count: number) {
  const { api, merchant } = await newMerchant();
  const ids = await Promise.all(Array.from({ length: count }, async () => (await createPayment(api)).id));
  await untilQuiet(merchant);
  const world = await worldOf(merchant);
  const move = () =>
    moveClock({
      world,
      idempotencyKey: 'key',
      seconds: HOUR_SECONDS,
      firstStep: async (writes) => (await commit(writes)).kind === 'committed',
      baseUrl: 'http://127.0.0.1:9',
      remainingMs: 60_000,
    });
  const payments = async () =>
    (await Promise.all(ids.map((id) => find('payment', world, id)))).flatMap((each) => each ?? []);
  return { api, merchant, world, ids, move, payments };
}

test('expiries that are due within seconds are committed together, each as of its own time', async () => {
  const { move, payments } = await worldOfExpiries(30);
  let commits = 0;
  const stop = interceptCalls(dynamodb, (call, next) => {
    commits += isStep('finish moved job')(call) ? 1 : 0;
    return next();
  });
  onTestFinished(stop);
  const { counts, jobsRemaining } = await move();
  expect([counts.jobsRun, counts.paymentsExpired, jobsRemaining]).toEqual([30, 30, 0]);
  for (const { status, updatedAtMs, expiresAtMs } of await payments()) {
    expect([status, updatedAtMs]).toEqual(['expired', expiresAtMs]);
  }
  expect(commits).toBeLessThan(10);
});

test('a payment that is canceled meanwhile does not keep the others from expiring', async () => {
  const { move, payments, ids, world } = await worldOfExpiries(3);
  const moving = await heldAt(isStep('finish moved job'), move);
  const canceled = await get('payment', world, String(ids[1]));
  const change = cancelPayment(canceled, canceled.updatedAtMs);
  expect((await commit(writesOf({ world }, [change], VIEW))).kind).toBe('committed');
  const { counts } = await moving.letGo();
  expect((await payments()).map(({ status }) => status)).toEqual(['expired', 'canceled', 'expired']);
  expect(counts).toMatchObject({ jobsRun: 3, paymentsExpired: 2 });
});

test('a payment that another runner expires meanwhile does not keep the others from expiring', async () => {
  const { move, payments, ids, world } = await worldOfExpiries(3);
  const moving = await heldAt(isStep('finish moved job'), move);
  const { id, expiresAtMs: dueAtMs, ...payment } = await get('payment', world, String(ids[1]));
  const job = { kind: 'expire-payment', paymentId: id, dueAtMs } as const;
  const changes = whenPaymentIsDue({ ...payment, id, expiresAtMs: dueAtMs }, dueAtMs);
  const writes = [...writesOf({ world }, changes, VIEW), remove(keyOfJob(world, job))];
  expect((await commit(writes)).kind).toBe('committed');
  const { counts } = await moving.letGo();
  expect((await payments()).map(({ status }) => status)).toEqual(['expired', 'expired', 'expired']);
  expect(counts.paymentsExpired).toBe(2);
});

test('payments of one link expire each, and give its uses back', async () => {
  const { api, merchant } = await newMerchant();
  const { json: link } = await api(operations.createPaymentLink, {
    body: { amount: { type: 'fixed', fixed: { currency: 'THB', minor: 500 } }, max_uses: 2 },
  });
  for (let nth = 0; nth < 2; nth += 1) {
    await fetch(String(link.url), { method: 'POST', body: new URLSearchParams({ key: String(nth) }) });
  }
  await untilQuiet(merchant);
  const { json } = await api(operations.advanceClock, { body: { seconds: 25 * HOUR_SECONDS } });
  expect(json.shifted).toMatchObject({ payments_expired: 2, jobs_remaining: 0 });
  const { json: after } = await api(operations.getPaymentLink, { params: { id: link.id } });
  expect(after).toMatchObject({ status: 'active', uses: 0 });
});
