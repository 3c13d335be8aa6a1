import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';

const PAUSE_MS = 500;
/** Longer than any lease, so that a request whose run has died is taken over. */
const GIVE_UP_MS = 100_000;

/** The codes of a request that cannot run yet: it, or another one, is still in progress. */
export const BUSY: readonly ErrorCode[] = [
  'clock_busy',
  'idempotency_in_progress',
  'temporarily_unavailable',
];

/**
 * Repeats a request while the response has one of these codes, or while the run of such a response holds its key.
 * @returns the first other response, or the last one if that takes too long
 */
export async function resend<Response extends { readonly problem?: { readonly code?: ErrorCode } }>(
  codes: readonly ErrorCode[],
  send: () => Promise<Response>,
): Promise<Response> {
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
