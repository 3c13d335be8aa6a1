import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { FUNCTION_TIMEOUT_SECONDS, type Operation } from '../../shared/contract/operation.ts';
import type { Client } from './api.ts';

const RETRY_MS = 500;

/** Sends the same request again while the crashed run's lease lasts, as Retry-After tells a client to. */
export async function retry<const Row extends Operation>(api: Client, row: Row, body: unknown) {
  const giveUpAt = Date.now() + ((row.timeoutSeconds ?? FUNCTION_TIMEOUT_SECONDS) + 5) * 1_000;
  for (;;) {
    const answer = await api(row, { idempotencyKey: 'k', body });
    if (answer.status !== 409 || Date.now() > giveUpAt) {
      return answer;
    }
    expect(answer.problem.code).toBe('idempotency_in_progress');
    await sleep(RETRY_MS);
  }
}
