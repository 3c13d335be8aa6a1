// @module-tag slow
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mapLimit } from '../../shared/concurrency/map-limit.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { interceptCalls } from '../../shared/store/table/aws-client.ts';
import { log } from '../../shared/telemetry/log.ts';
import { clientOf, newMerchant, type Received } from '../support/world/api.ts';
import { startInProcess } from '../support/world/in-process.ts';
import { acceptableRequest } from '../support/world/resources.ts';
import type { Sent } from '../support/world/send.ts';

/*
 * Every function in one process, as the local host and managed instances of Lambda run them: 64 requests at once, of as
 * many merchants, whose calls of the store answer late and in another order. What modules keep between requests is
 * listed in test/process-state.test.ts.
 */

const AT_ONCE = 64;
const MERCHANTS_OF_EACH = 3;
const PREPARED_AT_ONCE = 8;
/** Prime to one another, so that no two calls of a request wait alike. */
const WAITS_MS = [1, 23, 7, 0, 31, 13, 3];

interface PreparedRequest {
  readonly row: Operation;
  readonly merchant: string;
  readonly secret: string;
  readonly sent: Sent;
  readonly idempotencyKey: string;
}
interface Finished extends PreparedRequest {
  readonly received: Received<Operation>;
}
type LogFields = Readonly<Record<string, unknown>>;

let answered: readonly Finished[] = [];
let lines: readonly LogFields[] = [];
let mostAtOnce = 0;
let service: Awaited<ReturnType<typeof startInProcess>>;

const ask = ({ row, secret, sent, idempotencyKey }: PreparedRequest) =>
  clientOf(
    row.permission === null ? null : secret,
    service.baseUrl,
    service.send,
  )(row, {
    ...sent,
    idempotencyKey,
  });

async function prepare(row: Operation): Promise<PreparedRequest> {
  const { api, merchant, secret } = await newMerchant();
  return { row, merchant, secret, sent: await acceptableRequest(row, api), idempotencyKey: randomUUID() };
}

/** Sends requests while the store is slow, and counts how many are under way. */
async function askAtOnce(requests: readonly PreparedRequest[]): Promise<Finished[]> {
  const { dynamodb } = await import('../../shared/store/table/client.ts');
  let calls = 0;
  let running = 0;
  const endSlowness = interceptCalls(dynamodb, async (_call, next) => {
    calls += 1;
    const turn = calls;
    await sleep(WAITS_MS[turn % WAITS_MS.length]);
    const output = await next();
    await sleep(WAITS_MS[(turn * 2) % WAITS_MS.length]);
    return output;
  });
  try {
    return await mapLimit(AT_ONCE, requests, async (asked) => {
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      const received = await ask(asked);
      running -= 1;
      return { ...asked, received };
    });
  } finally {
    endSlowness();
  }
}

beforeAll(async () => {
  service = await startInProcess();
  const rows = allOperations.flatMap((row) => Array<Operation>(MERCHANTS_OF_EACH).fill(row));
  const requests = await mapLimit(PREPARED_AT_ONCE, rows, prepare);
  const written = vi.spyOn(log, 'info').mockReturnValue();
  answered = await askAtOnce(requests);
  lines = written.mock.calls.flatMap(([message, fields]) =>
    message === 'request' ? [fields as LogFields] : [],
  );
});
afterAll(() => {
  vi.restoreAllMocks();
  return service.stop();
});

const requestIdOf = ({ received }: Finished) => received.headers.get('x-request-id') ?? '';

describe('of 64 requests at once in one process', () => {
  test('every operation is among them, each is accepted, and 64 are under way', () => {
    const refused = answered.filter(({ received }) => received.status >= 400);
    expect(refused.map(({ row, received }) => `${row.id} ${received.status} ${received.text}`)).toEqual([]);
    expect(new Set(answered.map(({ row }) => row)).size).toBe(allOperations.length);
    expect(mostAtOnce).toBe(AT_ONCE);
  });

  test('each has an id of its own, and that, its merchant and its operation in its line of the log', () => {
    expect(new Set(answered.map(requestIdOf)).size).toBe(answered.length);
    const written = new Map(lines.map((line) => [line.request_id, line]));
    expect(lines).toHaveLength(answered.length);
    for (const each of answered) {
      const { row, merchant, received, sent } = each;
      const { id } = sent.params ?? {};
      expect(written.get(requestIdOf(each))).toMatchObject({
        operation: row.id,
        status: received.status,
        ...(row.permission !== null && { merchant, mode: 'test' }),
        ...(id !== undefined && /^[a-z]{3}_/.test(id) && { resource_id: id }),
      });
    }
  });

  test('each that reads a resource gets that one', () => {
    const reading = answered.filter(
      ({ row }) => row.method === 'GET' && row.permission !== null && row.path.endsWith('/{id}'),
    );
    expect(reading.length).toBeGreaterThan(MERCHANTS_OF_EACH * 5);
    for (const { sent, received } of reading) {
      expect(received.json).toMatchObject({ id: sent.params?.id });
    }
  });

  test('each that changes something has saved its own response under its own Idempotency-Key', async () => {
    const changing = answered.filter(({ row }) => row.idempotent && row.id !== 'testkit.DeleteTestWorld');
    expect(changing.length).toBeGreaterThan(MERCHANTS_OF_EACH * 20);
    await mapLimit(AT_ONCE, changing, async (each) => {
      const { headers, text } = await ask(each);
      expect(headers.get('original-request-id'), each.row.id).toBe(requestIdOf(each));
      expect(text).toBe(each.received.text);
    });
  });
});
