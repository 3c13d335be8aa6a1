import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { attemptLine, forward, noAnswerReason } from '../../../infra/events/forward.ts';
import { signerOf } from '../../../infra/events/signing-secret.ts';
import { newSigningSecret } from '../../../shared/domain/secret.ts';
import { startForgetfulServer } from '../../support/tools/forgetful-server.ts';

const EVENT = { id: 'evt_1', type: 'payment.succeeded', sequence: 1 } as const;
const NEVER = { end: new AbortController().signal, cut: new AbortController().signal };
const AT_ONCE = { pausesMs: [] };

async function firstAttemptAt(url: string) {
  const { value } = await forward(EVENT, { url, ...signerOf(newSigningSecret()) }, NEVER, AT_ONCE).next();
  return value;
}

test('a receiver that closes idle connections gets every event', async () => {
  const url = await startForgetfulServer((_, response) => response.writeHead(204).end());
  for (let count = 0; count < 10; count += 1) {
    expect(await firstAttemptAt(url)).toMatchObject({ status: 204, error: null });
  }
});

test('a line says of an attempt when, in Bangkok, what, whether it arrived and what follows', () => {
  const attempt = {
    ...EVENT,
    time: '2026-11-02T17:00:05.120Z',
    attempt: 1,
    status: 204,
    duration_ms: 20,
    error: null,
    again_in_ms: null,
  };
  const start = '2026-11-03 00:00:05 payment.succeeded evt_1 → ';
  expect(attemptLine(attempt)).toBe(`${start}delivered: 204 in 20 ms`);
  expect(attemptLine({ ...attempt, status: 503, again_in_ms: 1_000 })).toBe(
    `${start}failed: 503 in 20 ms, again in 1 s`,
  );
  expect(attemptLine({ ...attempt, status: null, error: 'connection refused' }, ' --scheme omise')).toBe(
    `${start}no response in 20 ms, connection refused, given up: pg events resend evt_1 --scheme omise`,
  );
});

test('a connection that is refused or lost is told in words', async () => {
  const lost = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
  await once(lost, 'listening');
  const url = `http://127.0.0.1:${(lost.address() as AddressInfo).port}`;
  expect(await firstAttemptAt(url)).toMatchObject({ status: null, error: 'connection lost' });
  await new Promise((resolve) => lost.close(resolve));
  expect(await firstAttemptAt(url)).toMatchObject({ status: null, error: 'connection refused' });
});

test('an answer that does not come in time is told by how long it was waited for', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const error: unknown = await fetch(url, { signal: AbortSignal.timeout(20) }).catch(
    (reason: unknown) => reason,
  );
  // By its code, it says nothing to anybody.
  expect((error as DOMException).code).toBe(23);
  expect(noAnswerReason(error)).toBe('no answer within 15 s');
});
