import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Event,
  type EventPosition,
  followEvents,
  positionBefore,
  positionOfNow,
} from '../../../infra/events/follow-events.ts';
import { createClient } from '../../../shared/client/client.ts';

const NOW_MS = Date.parse('2026-11-22T06:00:00.000Z');

/** Events with these numbers, the last one now and the others a minute before each other. */
function numbered(from: number, to: number, name = 'evt'): Event[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const sequence = from + index;
    const timestamp = new Date(NOW_MS - (to - sequence) * 60_000).toISOString();
    return { id: `${name}_${sequence}`, sequence, timestamp } as Event;
  });
}

/** A client of a service that has these events. What is in `troubles` is answered first, in its turn. */
function clientOf(events: Event[], troubles: (() => Response)[] = []) {
  const answer = (query: URLSearchParams) => {
    const limit = Number(query.get('limit'));
    const after = query.get('after_sequence');
    const rest =
      after === null
        ? events.toReversed().filter(({ sequence }) => sequence < Number(query.get('after') ?? Infinity))
        : events.filter(({ sequence }) => sequence > Number(after));
    const data = rest.slice(0, limit);
    const has_more = rest.length > limit;
    const next = data.at(-1)?.sequence ?? Number(after);
    return after === null
      ? { data, has_more, next_cursor: has_more ? String(next) : null }
      : { data, has_more, next_cursor: null, next_sequence: next, world: 'world-1' };
  };
  return createClient({
    baseUrl: 'http://127.0.0.1:1',
    key: 'pg_test_1',
    maxRetries: 0,
    fetch: async (url) => {
      const trouble = troubles.shift();
      const headers = { 'PG-Clock': new Date(NOW_MS).toISOString() };
      return trouble?.() ?? Response.json(answer(new URL(String(url)).searchParams), { headers });
    },
  });
}

function problem(status: number, code: string): Response {
  return Response.json({ status, code, title: 'No' }, { status });
}

function unreachable(): never {
  throw new TypeError('fetch failed');
}

/** Follows from a position on until so many events have come. */
async function follow(client: ReturnType<typeof clientOf>, from: EventPosition, count: number) {
  const end = new AbortController();
  const said: string[] = [];
  const numbers: number[] = [];
  for await (const { sequence } of followEvents(client, from, end.signal, (text) => said.push(text))) {
    numbers.push(sequence);
    if (numbers.length === count) {
      end.abort();
    }
  }
  return { numbers, said };
}

const numbersOf = (events: readonly Event[]) => events.map(({ sequence }) => sequence);

describe('following events', () => {
  test('yields each event once and in order, over as many pages as there are', async () => {
    const events = numbered(1, 450);
    expect(await follow(clientOf(events), null, 450)).toEqual({ numbers: numbersOf(events), said: [] });
    const from = { id: 'evt_40', sequence: 40 };
    expect((await follow(clientOf(events), from, 410)).numbers).toEqual(numbersOf(events.slice(40)));
  });

  test('yields no more events after it is stopped, though they were read', async () => {
    expect((await follow(clientOf(numbered(1, 80)), null, 3)).numbers).toEqual([1, 2, 3]);
  });

  test.each<[string, Event[]]>([
    ['none yet', []],
    ['fewer than before', numbered(1, 3, 'new')],
    ['as many as before', numbered(1, 5, 'new')],
    ['more than before', numbered(1, 250, 'new')],
  ])('begins anew where the world was emptied and has %s', async (_name, events) => {
    const following = follow(clientOf(events), { id: 'evt_5', sequence: 5 }, events.length + 2);
    const first = events.length;
    events.push(...numbered(first + 1, first + 2, 'new'));
    const { numbers, said } = await following;
    expect(numbers).toEqual(Array.from({ length: first + 2 }, (_, index) => index + 1));
    expect(said).toEqual([expect.stringMatching(/^The world was purged: /)]);
  });

  test('reports each outage of the service once, and misses no event', { tags: 'slow' }, async () => {
    const troubles: (() => Response)[] = [
      unreachable,
      () => problem(503, 'temporarily_unavailable'),
      () => new Response('?', { status: 502 }),
    ];
    const events = numbered(1, 3);
    const end = new AbortController();
    const said: string[] = [];
    const numbers: number[] = [];
    for await (const { sequence } of followEvents(clientOf(events, troubles), null, end.signal, (text) =>
      said.push(text),
    )) {
      numbers.push(sequence);
      if (sequence === 3) {
        troubles.push(unreachable, unreachable);
        events.push(...numbered(4, 4));
      } else if (sequence === 4) {
        end.abort();
      }
    }
    expect(numbers).toEqual([1, 2, 3, 4]);
    expect(said).toEqual(Array(2).fill(expect.stringContaining('Retrying until it responds.')));
  });

  test('ends where what responds is not the service', async () => {
    const refused = follow(clientOf([], [() => new Response('?')]), null, 1);
    await expect(refused).rejects.toMatchObject({ reason: 'not_the_service', status: 200 });
  });

  test('ends where a response cannot be decoded, and says so', async () => {
    const base64 = gzipSync('{}').toString('base64');
    const server = createServer((_, response) => response.setHeader('Content-Encoding', 'gzip').end(base64));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, key: 'pg_test_1' });
    await expect(follow(client, null, 1)).rejects.toMatchObject({
      reason: 'unreadable',
      message: expect.stringContaining('not in the Content-Encoding that it names'),
    });
  });

  test('ends with the error where the service refuses', async () => {
    const refused = follow(clientOf([], [() => problem(401, 'api_key_revoked')]), null, 1);
    await expect(refused).rejects.toMatchObject({ code: 'api_key_revoked' });
  });
});

describe('the current position', () => {
  test.each([0, 1, 450])('is that of the newest of %i events', async (count) => {
    const position = count === 0 ? null : { id: `evt_${count}`, sequence: count };
    expect(await positionOfNow(clientOf(numbered(1, count)))).toEqual({ world: 'world-1', position });
  });

  test('is after what the list does not show yet', async () => {
    const events = numbered(1, 250);
    const stale = () => Response.json({ data: events.slice(0, 1), has_more: false, next_cursor: null });
    expect((await positionOfNow(clientOf(events, [stale]))).position?.sequence).toBe(250);
  });
});

describe('the position before a given age', () => {
  const sequenceBefore = async (events: Event[], agoMinutes: number) =>
    (await positionBefore(clientOf(events), agoMinutes * 60))?.sequence ?? 0;

  test.each([
    ['all are older', -1, 450],
    ['the last one is not', 0, 449],
    ['a page of them is not', 99, 350],
    ['some pages are not', 320, 129],
    ['none is', 500, 0],
  ])('is found where %s', async (_name, agoMinutes, sequence) => {
    expect(await sequenceBefore(numbered(1, 450), agoMinutes)).toBe(sequence);
  });

  test('precedes all newer events, even if one that ran late has an earlier time', async () => {
    const events = numbered(1, 450).map((event) =>
      event.sequence === 449 ? { ...event, timestamp: new Date(0).toISOString() } : event,
    );
    expect(await sequenceBefore(events, 150)).toBe(299);
    expect(await sequenceBefore([], 10)).toBe(0);
  });
});
