import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FUNCTION_TIMEOUT_SECONDS } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { type Client, clientOf } from '../support/api.ts';
import { startHost, untilDead } from '../support/host.ts';

const ORDER = { amount: { currency: 'THB', minor: 5_000 }, method: 'promptpay' };
const RETRY_MS = 500;

/** Sends the same request again while the crashed run's lease lasts, as Retry-After tells a client to. */
async function retry(api: Client) {
  const giveUpAt = Date.now() + (FUNCTION_TIMEOUT_SECONDS + 5) * 1_000;
  for (;;) {
    const answer = await api(operations.createPayment, { idempotencyKey: 'k', body: ORDER });
    if (answer.status !== 409 || Date.now() > giveUpAt) {
      return answer;
    }
    expect(answer.problem.code).toBe('idempotency_in_progress');
    await sleep(RETRY_MS);
  }
}

test.concurrent.each([
  { crash: 'before', replayed: null },
  { crash: 'after', replayed: 'true' },
])(
  'a process that dies right $crash the commit leaves one payment and one answer',
  async ({ crash, replayed }) => {
    const preload = [new URL('../support/crash-at-commit.ts', import.meta.url).href];
    const host = await startHost({ preload, env: { CRASH: crash } });
    const request = clientOf(host.key, host.baseUrl)(operations.createPayment, {
      idempotencyKey: 'k',
      body: ORDER,
    });
    await expect(request).rejects.toThrow();
    await untilDead(host);

    const next = await startHost({ dir: host.dir });
    try {
      const api = clientOf(next.key, next.baseUrl);
      const answer = await retry(api);
      expect(answer.status).toBe(201);
      expect(answer.headers.get('idempotent-replayed')).toBe(replayed);
      expect((await retry(api)).text).toBe(answer.text);
      expect((await api(operations.listPayments)).json.data).toHaveLength(1);
    } finally {
      await next.stop();
    }
  },
);
