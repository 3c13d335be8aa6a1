import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../../shared/errors/catalogue.ts';

const PAUSE_MS = 500;
/** Longer than any lease, so that a request whose run has died is taken over. */
const GIVE_UP_MS = 100_000;

/** What tells a client that its own request, or another one, is still under way. */
export const BUSY: readonly ErrorCode[] = [
  'clock_busy',
  'idempotency_in_progress',
  'temporarily_unavailable',
];

/**
 * Sends a request again while the answer has one of these codes, or while a run that gave such an answer holds its key.
 * @returns the first other answer, or the last one where that takes too long
 */
export async function resend<ProviderResult extends { readonly problem?: { readonly code?: ErrorCode } }>(
  codes: readonly ErrorCode[],
  send: () => Promise<ProviderResult>,
): Promise<ProviderResult> {
  const giveUpAt = Date.now() + GIVE_UP_MS;
  let answer = await send();
  for (let again = codes; Date.now() < giveUpAt; again = [...codes, 'idempotency_in_progress']) {
    const code = answer.problem?.code;
    if (code === undefined || !again.includes(code)) {
      break;
    }
    await sleep(PAUSE_MS);
    answer = await send();
  }
  return answer;
}
