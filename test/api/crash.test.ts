// @module-tag slow
import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/world/api.ts';
import { startHost, untilDead } from '../support/world/host.ts';
import { resend } from '../support/world/resend.ts';

const ORDER = { amount: { currency: 'THB', minor: 5_000 }, method: 'promptpay' };

test.concurrent.each([
  { crash: 'before', replayed: null },
  { crash: 'after', replayed: 'true' },
])(
  'a process that dies right $crash the commit leaves one payment and one response',
  async ({ crash, replayed }) => {
    const preload = [new URL('../support/faults/crash-at-step.ts', import.meta.url).href];
    const host = await startHost({ preload, env: { CRASH: `${crash} commit request` } });
    const request = clientOf(host.key, host.baseUrl)(operations.createPayment, {
      idempotencyKey: 'k',
      body: ORDER,
    });
    await expect(request).rejects.toThrow();
    await untilDead(host);

    const next = await startHost({ dir: host.dir });
    try {
      const api = clientOf(next.key, next.baseUrl);
      const retry = () =>
        resend(['idempotency_in_progress'], () =>
          api(operations.createPayment, { idempotencyKey: 'k', body: ORDER }),
        );
      const answer = await retry();
      expect(answer.status).toBe(201);
      expect(answer.headers.get('idempotent-replayed')).toBe(replayed);
      expect((await retry()).text).toBe(answer.text);
      expect((await api(operations.listPayments)).json.data).toHaveLength(1);
    } finally {
      await next.stop();
    }
  },
);
