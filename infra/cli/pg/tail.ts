import type { Client } from '../../../shared/client/client.ts';
import type { AnswerOf } from '../../../shared/client/method.ts';

export type DeliveryRow = AnswerOf<'listDeliveries'>['data'][number];

const LOOK_EVERY_MS = 1_000;
const PAGE_MAX = 100;
/** Attempts that were there before are shown up to here. */
const SHOWN_FIRST = 10;
const REMEMBERED_MAX = 10_000;

/** The attempts to deliver to a sink, oldest first: the last ones, and then those that come, until the signal. */
export async function* followDeliveries(
  client: Pick<Client, 'listDeliveries'>,
  sinkId: string,
  signal: AbortSignal,
): AsyncGenerator<DeliveryRow> {
  const seen = new Set<string>();
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const limit = isFirst ? SHOWN_FIRST : PAGE_MAX;
      const news: DeliveryRow[] = [];
      for await (const { data } of client.listDeliveries(sinkId, { limit }, { signal }).pages()) {
        const unseen = data.filter(({ id }) => !seen.has(id));
        news.unshift(...unseen.toReversed());
        if (isFirst || unseen.length < data.length) {
          break;
        }
      }
      for (const delivery of news) {
        seen.add(delivery.id);
        yield delivery;
      }
      for (const id of [...seen].slice(0, Math.max(0, seen.size - REMEMBERED_MAX))) {
        seen.delete(id);
      }
      await pause(signal);
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, LOOK_EVERY_MS);
    signal.addEventListener('abort', end);
  });
}

/** `11:02:09  payment.created  attempt 1  503  valid  failed, again 2026-11-21T04:02:14.000Z` */
export function deliveryLine(delivery: DeliveryRow): string {
  const { attempted_at, attempt, answered_status, signature_verdict, status, next_attempt_at } = delivery;
  return [
    attempted_at,
    typeOf(delivery.body).padEnd(24),
    `attempt ${attempt}`,
    answered_status ?? 'no answer',
    `signature ${signature_verdict}`,
    next_attempt_at === null ? status : `${status}, again at ${next_attempt_at}`,
  ].join('  ');
}

function typeOf(body: string): string {
  try {
    return String((JSON.parse(body) as { type?: unknown }).type);
  } catch {
    return '?';
  }
}
