import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { toEvent } from '../../infra/local/server.ts';
import type { ApiKey } from '../../shared/domain/api-key.ts';
import { Problem } from '../../shared/errors/problem.ts';
import type { Call, Caller, NoteRequester } from '../../shared/http/call.ts';
import { frame, type LambdaHandler } from '../../shared/http/frame.ts';
import type { HttpResponse } from '../../shared/http/responder.ts';
import { log } from '../../shared/telemetry/log.ts';
import { aWorld } from '../support/world/entities.ts';

const ROW = { id: 'test.Row', permission: 'payment.read' } as const;
const KEY = { id: 'key_1', merchant: 'acme', mode: 'test' } as ApiKey;
const CALLER: Caller = { key: KEY, world: aWorld(), version: '2026-10-01', noted: Promise.resolve() };
const DONE: HttpResponse = { status: 200, contentType: 'application/json', body: '{}' };
const LONG_MS = 10_000;

const lines = vi.spyOn(log, 'info').mockReturnValue();
afterEach(() => {
  lines.mockClear();
});

type Run = (call: Call, note: NoteRequester) => Promise<HttpResponse>;

function call(run: Run, leftMs = LONG_MS): Promise<APIGatewayProxyResult> {
  return send(frame(ROW, run), leftMs);
}

function send(handler: LambdaHandler, leftMs = LONG_MS): Promise<APIGatewayProxyResult> {
  const url = new URL('http://127.0.0.1/api/v1/payments');
  const event = toEvent({ method: 'GET', headersDistinct: {} }, url, null, Buffer.from(''));
  const context = { awsRequestId: 'f', getRemainingTimeInMillis: () => leftMs } as Context;
  return handler(event, context);
}

describe('when a call throws,', () => {
  test.each<
    [what: string, notes: readonly Parameters<NoteRequester>[0][], about: object, version: string | undefined]
  >([
    ['an unknown caller is not logged', [], {}, undefined],
    ['a refused key is in the log alone', [{ key: KEY }], { key_id: KEY.id }, undefined],
    [
      'the response has the version of a known caller',
      [{ key: KEY }, CALLER],
      { key_id: KEY.id },
      CALLER.version,
    ],
  ])('%s', async (_what, notes, about, version) => {
    const refused = await call(async (_call, note) => {
      notes.forEach(note);
      throw new Problem('payment_not_found');
    });
    expect([refused.statusCode, refused.headers?.['PG-Version']]).toEqual([404, version]);
    expect(refused.headers?.['PG-Clock']).toEqual(version && expect.any(String));
    const outcome = { status: 404, outcome: 'payment_not_found' };
    expect(lines).toHaveBeenCalledExactlyOnceWith(
      'request',
      expect.objectContaining({ ...outcome, ...about }),
    );
    expect(Object.keys(lines.mock.calls[0]?.[1] ?? {}).includes('key_id')).toBe(notes.length > 0);
  });
});

test("a call that times out is refused with its caller's version and logged exactly once", async () => {
  const { promise, resolve } = Promise.withResolvers<HttpResponse>();
  const refused = await call((_call, note) => {
    note(CALLER);
    return promise;
  }, 0);
  expect([refused.statusCode, refused.headers?.['PG-Version']]).toEqual([503, CALLER.version]);
  resolve(DONE);
  expect((await call(async () => DONE)).statusCode).toBe(200);
  expect(lines.mock.calls.map(([, line]) => Object(line).outcome)).toEqual([
    'temporarily_unavailable',
    'done',
  ]);
});

test('calls of one function at once keep their callers apart', async () => {
  const { promise, resolve } = Promise.withResolvers<HttpResponse>();
  const runs: Run[] = [
    async (_call, note) => {
      note(CALLER);
      return promise;
    },
    async () => DONE,
  ];
  const handler = frame(ROW, (...given) => (runs.shift() as Run)(...given));
  const known = send(handler);
  const unknown = await send(handler);
  resolve(DONE);
  expect([unknown, await known].map(({ headers }) => headers?.['PG-Version'])).toEqual([
    undefined,
    CALLER.version,
  ]);
  const [first, second] = lines.mock.calls.map(([, line]) => Object(line));
  expect([first.key_id, second.key_id]).toEqual([undefined, KEY.id]);
});

test('the note of a key’s use is written before the response, even of a refusal', async () => {
  for (const end of [async () => DONE, () => Promise.reject(new Problem('payment_not_found'))]) {
    const { promise: noted, resolve } = Promise.withResolvers<void>();
    const order: string[] = [];
    const answered = call((_call, note) => {
      note({ ...CALLER, noted: noted.then(() => void order.push('noted')) });
      return end();
    }).then(() => order.push('answered'));
    setImmediate(resolve);
    await answered;
    expect(order).toEqual(['noted', 'answered']);
  }
});
