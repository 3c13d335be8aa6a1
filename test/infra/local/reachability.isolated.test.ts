import type { IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, test, vi } from 'vitest';
import {
  checkEndpointOfSender,
  checkSender,
  LOOPBACK_ALONE,
  type Reachability,
  reachabilityOf,
} from '../../../infra/local/reachability.ts';
import { Problem } from '../../../shared/errors/problem.ts';

vi.mock('node:os', async (load) => ({
  ...(await load<typeof import('node:os')>()),
  networkInterfaces: vi.fn(),
}));

const PRIVATE = '192.168.7.20';
const PUBLIC = '203.0.113.7';

function onNetworks(...addresses: readonly string[]): void {
  const all = ['127.0.0.1', ...addresses].map((address) => ({ address }));
  vi.mocked(networkInterfaces).mockReturnValue({ all } as unknown as ReturnType<typeof networkInterfaces>);
}

function requestOf(headers: Readonly<Record<string, string>>, remoteAddress = '127.0.0.1'): IncomingMessage {
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return { headersDistinct, socket: { remoteAddress } } as unknown as IncomingMessage;
}

/** The code with which a request is refused; null where it is not. */
function refusalOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
}

function codeFor(
  host: string,
  reachability: Reachability,
  authorization = 'Bearer pg_test_1',
): string | null {
  return refusalOf(() => checkSender(requestOf({ host, authorization }), reachability));
}

describe('a service that nobody was let in to', () => {
  test('listens on loopback alone', () => {
    expect(LOOPBACK_ALONE).toMatchObject({ addresses: ['127.0.0.1'], isOpen: false });
    expect(LOOPBACK_ALONE.baseUrl(4010)).toBeNull();
  });

  test.each([
    '127.0.0.1:4010',
    '127.0.0.1',
    'localhost:4010',
    'LOCALHOST',
    'shop.localhost:1',
    '[::1]:4010',
    '127.9.9.9',
  ])('is called by the name %s', (host) => expect(codeFor(host, LOOPBACK_ALONE)).toBeNull());

  test.each([
    'evil.example',
    'localhost.evil.example:4010',
    'evil.example:4010',
    '127.0.0.1.evil.example',
    `${PRIVATE}:4010`,
    '0.0.0.0:4010',
    '[::]:4010',
    '',
    'evil.example/127.0.0.1',
    'localhost@evil.example',
    'localhost evil.example',
    '::1',
  ])('refuses the name %j', (host) => expect(codeFor(host, LOOPBACK_ALONE)).toBe('misdirected_request'));

  test('takes a live key, and endpoints on this machine', () => {
    expect(codeFor('localhost', LOOPBACK_ALONE, 'Bearer pg_live_1')).toBeNull();
    const body = Buffer.from('{"url":"http://127.0.0.1:3000/hook"}');
    const request = requestOf({ host: 'localhost:4010' });
    expect(refusalOf(() => checkEndpointOfSender(request, body))).toBeNull();
  });
});

describe('a service that is open to', () => {
  test('a private network listens there beside loopback, and is called by that address', () => {
    onNetworks(PUBLIC, 'fe80::1', PRIVATE, '10.0.0.3');
    const lan = reachabilityOf({ lan: true });
    expect(lan).toMatchObject({ addresses: ['127.0.0.1', PRIVATE], isOpen: true });
    expect(lan.baseUrl(4010)).toBe(`http://${PRIVATE}:4010`);
    expect([`${PRIVATE}:4010`, 'localhost:4010'].map((host) => codeFor(host, lan))).toEqual([null, null]);
    expect(['10.0.0.3', PUBLIC, 'evil.example'].map((host) => codeFor(host, lan))).toEqual(
      Array(3).fill('misdirected_request'),
    );
  });

  test('a private network does not start where this machine is in none', () => {
    onNetworks(PUBLIC, '172.32.0.1', '192.169.0.1', '11.0.0.1', '169.254.1.1');
    expect(() => reachabilityOf({ lan: true })).toThrow('no address in a private network');
  });

  test('a tunnel is called by its name too, and listens on loopback alone', () => {
    const tunnel = reachabilityOf({ publicUrl: 'https://Pay.Example:8443/base' });
    expect(tunnel).toMatchObject({ addresses: ['127.0.0.1'], isOpen: true });
    expect(tunnel.baseUrl(4010)).toBe('https://Pay.Example:8443/base');
    expect(['pay.example', 'PAY.EXAMPLE:443', 'localhost'].map((host) => codeFor(host, tunnel))).toEqual(
      Array(3).fill(null),
    );
    expect(codeFor('pay.example.evil.example', tunnel)).toBe('misdirected_request');
  });

  test.each(['0.0.0.0', '::'])('everybody, at %s, is called by any address of this machine', (host) => {
    onNetworks(PUBLIC, PRIVATE);
    const everywhere = reachabilityOf({ host });
    expect(everywhere).toMatchObject({ addresses: [host], isOpen: true });
    expect([PUBLIC, `${PRIVATE}:80`, 'localhost'].map((name) => codeFor(name, everywhere))).toEqual(
      Array(3).fill(null),
    );
    expect(codeFor('evil.example', everywhere)).toBe('misdirected_request');
  });

  test.each<[string, Parameters<typeof reachabilityOf>[0]]>([
    ['a proxy of this machine', { publicUrl: 'http://localhost:8080' }],
    ['another loopback address', { host: '127.0.0.2' }],
  ])('%s is open to nobody else', (_, options) => expect(reachabilityOf(options).isOpen).toBe(false));

  test.each(['Bearer pg_live_1', 'bearer  pg_live_1', 'Basic x, Bearer PG_LIVE_1'])(
    'others takes no live key: %s',
    (authorization) => {
      const tunnel = reachabilityOf({ publicUrl: 'https://pay.example' });
      expect(codeFor('localhost', tunnel, authorization)).toBe('live_mode_unavailable');
    },
  );
});

describe('an endpoint on this machine', () => {
  const LOCAL = '{"url":"http://127.0.0.1:3000/hook"}';
  const codeOf = (headers: Readonly<Record<string, string>>, from: string, body = LOCAL) =>
    refusalOf(() => checkEndpointOfSender(requestOf(headers, from), Buffer.from(body)));

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('may come from a program of it: %s', (from) =>
    expect(codeOf({ host: 'localhost:4010' }, from)).toBeNull(),
  );

  test.each([
    ['another machine', { host: `${PRIVATE}:4010` }, PRIVATE],
    ['another machine that names this one', { host: 'localhost' }, '::ffff:192.168.7.9'],
    ['a tunnel', { host: 'pay.example' }, '127.0.0.1'],
    ['a proxy', { host: 'localhost', 'x-forwarded-for': '203.0.113.9' }, '127.0.0.1'],
    ['a proxy of RFC 7239', { host: 'localhost', forwarded: 'for=203.0.113.9' }, '127.0.0.1'],
  ])('is refused from %s', (_, headers, from) => expect(codeOf(headers, from)).toBe('validation_failed'));

  test.each([
    'http://localhost:3000/',
    'http://[::1]:3000/',
    'http://2130706433:3000/',
    'http://shop.localhost/',
  ])('is refused from elsewhere in every spelling: %s', (url) =>
    expect(codeOf({ host: 'pay.example' }, '127.0.0.1', JSON.stringify({ url }))).toBe('validation_failed'),
  );

  test.each([
    '{"url":"https://shop.example.com/hook"}',
    '{"description":"no url"}',
    '{"url":1}',
    'no JSON',
    '',
  ])('is nothing to say of %s', (body) =>
    expect(codeOf({ host: 'pay.example' }, '127.0.0.1', body)).toBeNull(),
  );
});
