import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newId } from '../../shared/domain/id.ts';
import { newMerchant } from '../support/api.ts';
import { aSink } from '../support/entities.ts';
import { createPayment, worldOf } from '../support/resources.ts';

const { runDueJobs } = await import('../../shared/flows/run-due-jobs.ts');
const { commit } = await import('../../shared/store/commit.ts');
const { takeLease } = await import('../../shared/store/scheduler/lease.ts');
const { writeSink } = await import('../../shared/store/testkit/sinks.ts');

const RUN_WITHIN_MS = 60_000;

interface Receipt {
  readonly resourceId: string;
  readonly sequence: number;
  readonly type: string;
  readonly beganAt: number;
  endedAt: number;
}

/** A receiver in the place of the sinks that takes its time, so that what is sent too early is seen to be. */
async function startSlowReceiver(): Promise<{ url: string; receipts: Receipt[] }> {
  const receipts: Receipt[] = [];
  const server = createServer(async (request, response) => {
    const beganAt = performance.now();
    const chunks = await request.toArray();
    const event = JSON.parse(Buffer.concat(chunks).toString());
    const { sequence, type } = event;
    const receipt = { resourceId: event.data.object.id, sequence, type, beganAt, endedAt: Infinity };
    receipts.push(receipt);
    await sleep(100);
    receipt.endedAt = performance.now();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, receipts };
}

test('an event of a resource is sent when the one before it was answered, and others do not wait for it', async () => {
  const { api, merchant } = await newMerchant();
  const { url, receipts } = await startSlowReceiver();
  const world = await worldOf(merchant);
  await commit(writeSink(world, null, aSink({ id: newId('snk', Date.now()), token: randomUUID() })));
  // Held, so that nobody else runs them, and all is there when the first is sent, however slowly it is made.
  const lease = await takeLease(world, 'run');
  const payments = await Promise.all(Array.from({ length: 4 }, () => createPayment(api)));
  for (const { id } of payments) {
    await api(operations.cancelPayment, { params: { id } });
  }

  if (typeof lease === 'string') {
    throw new Error('somebody else runs the jobs');
  }
  const limits = { untilMs: Date.now(), deadlineMs: Date.now() + RUN_WITHIN_MS, jobsMax: 100, lease };
  await runDueJobs(await worldOf(merchant), { baseUrl: url, ...limits });
  await lease.release();
  expect(receipts).toHaveLength(12);
  for (const { id } of payments) {
    const own = receipts.filter(({ resourceId }) => resourceId === id);
    expect(own.map(({ type }) => type)).toEqual([
      'payment.created',
      'payment.requires_action',
      'payment.canceled',
    ]);
    expect(own).toEqual(own.toSorted((a, b) => a.sequence - b.sequence));
    for (const [place, { beganAt }] of own.entries()) {
      expect(beganAt).toBeGreaterThan(own[place - 1]?.endedAt ?? 0);
    }
  }
  const isSideBySide = receipts.some((one) =>
    receipts.some((other) => other.beganAt < one.endedAt && other.endedAt > one.endedAt),
  );
  expect(isSideBySide).toBe(true);
});
