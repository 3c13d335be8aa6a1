import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import type { Client } from '../../shared/client/client.ts';
import type { List } from '../../shared/client/list.ts';
import type { AnswerOf } from '../../shared/client/method.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { bangkokTime, coloured } from '../terminal/lines.ts';

export type DeliveryRow = AnswerOf<'listDeliveries'>['data'][number];
export type RequestRow = AnswerOf<'listRequests'>['data'][number];

const LOOK_EVERY_MS = 1_000;
const PAGE_MAX = 100;
/** How many earlier attempts are shown. */
const SHOWN_FIRST = 10;
const REMEMBERED_MAX = 10_000;

/** The attempts to deliver to a sink, oldest first: the last few, then new ones as they come, until the signal. */
export function followDeliveries(
  client: Pick<Client, 'listDeliveries'>,
  sinkId: string,
  signal: AbortSignal,
): AsyncGenerator<DeliveryRow> {
  return followNewest<DeliveryRow>(
    () => client.listDeliveries(sinkId, { limit: PAGE_MAX }, { signal }),
    signal,
  );
}

/** The requests of the test world, likewise. */
export function followRequests(
  client: Pick<Client, 'listRequests'>,
  signal: AbortSignal,
): AsyncGenerator<RequestRow> {
  return followNewest<RequestRow>(() => client.listRequests({ limit: PAGE_MAX }, { signal }), signal);
}

/**
 * What a list holds, oldest first: its last few, then new ones as they come, until the signal.
 * @param list the list, newest first
 */
async function* followNewest<Row extends { readonly id: string }>(
  list: () => List<Row>,
  signal: AbortSignal,
): AsyncGenerator<Row> {
  const seen = new Set<string>();
  /** Ids up to this one are old. Above it, a new id may sort between known ones, since ids begin with the due time. */
  let floor = '';

  const readNews = async (): Promise<Row[]> => {
    const news: Row[] = [];
    for await (const { data } of list().pages()) {
      const unseen = data.filter(({ id }) => id > floor && !seen.has(id));
      news.unshift(...unseen.toReversed());
      if (unseen.length === 0) {
        break;
      }
    }
    return news;
  };
  const remember = (rows: readonly Row[]): void => {
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

/** `2026-11-21 11:02:09  payment.created  attempt 1  503  signature valid  failed, again at 2026-…` */
export function deliveryLine(delivery: DeliveryRow): string {
  const { attempted_at, attempt, answered_status, signature_verdict, status, next_attempt_at } = delivery;
  return [
    bangkokTime(attempted_at),
    typeOf(delivery.body).padEnd(24),
    `attempt ${attempt}`,
    answered_status ?? 'no response',
    `signature ${signature_verdict}`,
    next_attempt_at === null
      ? coloured(status)
      : `${coloured(status)}, again at ${bangkokTime(next_attempt_at)}`,
  ].join('  ');
}

/** `2026-11-21 11:02:09  POST  /api/v1/payments  201  12 ms  req_…` */
export function loggedLine(request: RequestRow): string {
  const { at, method, path, status, code, duration_ms, id } = request;
  return [
    bangkokTime(at),
    method.padEnd('DELETE'.length),
    cleanText(path),
    styleText(status < 400 ? 'green' : 'red', String(status)),
    ...(code === null ? [] : [code]),
    `${duration_ms} ms`,
    id,
  ].join('  ');
}

function typeOf(body: string): string {
  try {
    return String((JSON.parse(body) as { type?: unknown }).type);
  } catch {
    return '?';
  }
}
