import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../../shared/client/client.ts';
import type { AnswerOf } from '../../../shared/client/method.ts';

export type DeliveryRow = AnswerOf<'listDeliveries'>['data'][number];

const LOOK_EVERY_MS = 1_000;
const PAGE_MAX = 100;
/** How many earlier attempts are shown. */
const SHOWN_FIRST = 10;
const REMEMBERED_MAX = 10_000;

/** The attempts to deliver to a sink, oldest first: the last few, then new ones as they come, until the signal. */
export async function* followDeliveries(
  client: Pick<Client, 'listDeliveries'>,
  sinkId: string,
  signal: AbortSignal,
): AsyncGenerator<DeliveryRow> {
  const list = () => client.listDeliveries(sinkId, { limit: PAGE_MAX }, { signal });
  const seen = new Set<string>();
  /** Ids up to this one are old. Above it, a new id may sort between known ones, since ids begin with the due time. */
  let floor = '';

  const readNews = async (): Promise<DeliveryRow[]> => {
    const news: DeliveryRow[] = [];
    for await (const { data } of list().pages()) {
      const unseen = data.filter(({ id }) => id > floor && !seen.has(id));
      news.unshift(...unseen.toReversed());
      if (unseen.length === 0) {
        break;
      }
    }
    return news;
  };
  const remember = (rows: readonly DeliveryRow[]): void => {
    for (const { id } of rows) {
      seen.add(id);
    }
    for (const id of [...seen].slice(0, Math.max(0, seen.size - REMEMBERED_MAX))) {
      seen.delete(id);
      floor = id > floor ? id : floor;
    }
  };

  try {
    const { data, has_more } = await list();
    const before = data.toReversed();
    floor = has_more ? (before[0]?.id ?? '') : '';
    remember(before);
    yield* before.slice(-SHOWN_FIRST);
    while (!signal.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      const news = await readNews();
      remember(news);
      yield* news;
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
}

/** `2026-11-21T04:02:09.000Z  payment.created  attempt 1  503  signature valid  failed, again at 2026-…` */
export function deliveryLine(delivery: DeliveryRow): string {
  const { attempted_at, attempt, answered_status, signature_verdict, status, next_attempt_at } = delivery;
  return [
    attempted_at,
    typeOf(delivery.body).padEnd(24),
    `attempt ${attempt}`,
    answered_status ?? 'no response',
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
