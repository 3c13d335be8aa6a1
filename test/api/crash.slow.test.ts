import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/world/api.ts';
import { startHost, untilDead } from '../support/world/host.ts';
import { resend } from '../support/world/resend.ts';
import { createPayment } from '../support/world/resources.ts';

test('a clock move that dies midway moves the clock once, and every job runs once', async () => {
  const preload = [new URL('../support/faults/crash-at-step.ts', import.meta.url).href];
  const host = await startHost({ preload, env: { CRASH: 'after finish moved job 1' } });
  const doomed = clientOf(host.key, host.baseUrl);
  for (let index = 0; index < 40; index += 1) {
    await createPayment(doomed);
  }
  const move = { idempotencyKey: 'k', body: { seconds: 3_600 } };
  await expect(doomed(operations.advanceClock, move)).rejects.toThrow();
  await untilDead(host);

  const next = await startHost({ dir: host.dir });
  try {
    const api = clientOf(next.key, next.baseUrl);
    const answer = await resend(['idempotency_in_progress'], () => api(operations.advanceClock, move));
    expect(answer.json).toMatchObject({ advanced_seconds: 3_600, shifted: { jobs_remaining: 0 } });
    expect((await api(operations.getClock)).json.offset_seconds).toBe(3_600);
    const events = [];
    for (const type of ['payment.created', 'payment.requires_action', 'payment.expired']) {
      const { json } = await api(operations.listEvents, { query: { type, limit: '100' } });
      expect(new Set(json.data.map(({ data }) => data.object.id)).size).toBe(40);
      events.push(...json.data);
    }
    const sequences = events.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
    expect(sequences).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  } finally {
    await next.stop();
  }
}, 200_000);
