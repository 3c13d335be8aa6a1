import { describe, expect, test } from 'vitest';
import { followDeliveries } from '../../../infra/commands/tail.ts';
import type { Client } from '../../../shared/client/client.ts';
import { listOf } from '../../../shared/client/list.ts';
import type { AnswerOf } from '../../../shared/client/method.ts';

describe('following a sink', () => {
  type Page = AnswerOf<'listDeliveries'>;
  const follow = async (readPage: (signal: AbortSignal) => Promise<Page>, signal: AbortSignal) => {
    const listDeliveries = () => listOf<Page['data'][number], Page>(() => readPage(signal));
    const ids: string[] = [];
    for await (const { id } of followDeliveries({ listDeliveries }, 'snk_1', signal)) {
      ids.push(id);
    }
    return ids;
  };

  /** A sink's log, of which a page is read as the service reads it: newest first, from a cursor on. */
  function logOf(ids: string[]) {
    const readPage = async (limit: number, after?: string) => {
      const all = ids.toSorted().toReversed();
      const data = all.filter((id) => after === undefined || id < after).slice(0, limit);
      const has_more = data.at(-1) !== all.at(-1);
      return {
        data: data.map((id) => ({ id })),
        has_more,
        next_cursor: has_more ? data.at(-1) : null,
      } as unknown as Page;
    };
    const listDeliveries = (_: string, { limit = 20 }: { limit?: number } = {}) =>
      listOf<Page['data'][number], Page>((after) => readPage(limit, after));
    return { listDeliveries: listDeliveries as Client['listDeliveries'] };
  }

  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `dlv_${String(from + index).padStart(5, '0')}`);

  test.each([
    ['no attempt', 0, 5],
    ['a few', 7, 300],
    ['a page of them', 100, 100],
    ['many', 450, 1_250],
  ])(
    'prints each new attempt once, in order, after %s was there before',
    { tags: 'slow' },
    async (_name, before, come) => {
      const ids = numbered(0, before);
      const end = new AbortController();
      const following = followDeliveries(logOf(ids), 'snk_1', end.signal);
      const read = async (count: number) => {
        const rows: string[] = [];
        while (rows.length < count) {
          rows.push(String((await following.next()).value?.id));
        }
        return rows;
      };
      const shown = Math.min(before, 10);
      expect(await read(shown)).toEqual(numbered(before - shown, before));
      // No request is sent until the next row is read: all of these come with one poll.
      const next = before + come;
      ids.push(...numbered(before, next));
      expect(await read(come)).toEqual(numbered(before, next));
      ids.push(...numbered(next, next + 3), `${numbered(next - 2, next - 1)}-late`);
      expect(await read(4)).toEqual([`${numbered(next - 2, next - 1)}-late`, ...numbered(next, next + 3)]);
      const last = following.next();
      end.abort();
      expect(await last).toEqual({ done: true, value: undefined });
    },
  );

  test('ends without an error when it is aborted during a request', async () => {
    const end = new AbortController();
    const readPage = (signal: AbortSignal) => {
      setTimeout(() => end.abort());
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    expect(await follow(readPage, end.signal)).toEqual([]);
  });

  test('ends with the error where the service fails', async () => {
    const following = follow(() => Promise.reject(new Error('no')), new AbortController().signal);
    await expect(following).rejects.toThrow('no');
  });
});
