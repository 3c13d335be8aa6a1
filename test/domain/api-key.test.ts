import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type ApiKey,
  hashSecret,
  isWellFormedSecret,
  keyRefusal,
  mintSecret,
  modeOfSecret,
  newApiKey,
  successorOf,
} from '../../shared/domain/api-key.ts';
import { DAY_MS } from '../../shared/domain/clock.ts';
import { toBase62 } from '../../shared/domain/secret.ts';
import { MODES } from '../../shared/domain/world.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEYS = [...Array.from({ length: 3 }, () => mintSecret('test')), mintSecret('live')];

/** A text with one character replaced. */
function withCharacter(text: string, index: number, character: string): string {
  return text.slice(0, index) + character + text.slice(index + 1);
}

function withNeighboursSwapped(text: string, index: number): string {
  return text.slice(0, index) + text.charAt(index + 1) + text.charAt(index) + text.slice(index + 2);
}

describe('an API key', () => {
  it.each(MODES)('of %s mode has that prefix, 32 random characters and a checksum of 6', (mode) => {
    const secret = mintSecret(mode);
    expect(secret).toMatch(new RegExp(`^pg_${mode}_[0-9A-Za-z]{38}$`));
    expect(isWellFormedSecret(secret)).toBe(true);
  });

  it('is never minted twice', () => {
    expect(new Set(Array.from({ length: 500 }, () => mintSecret('test'))).size).toBe(500);
  });

  it.each(KEYS)('is refused with any one character mistyped (%#)', (secret) => {
    const mistyped = Array.from(secret, (right, index) =>
      [...BASE62, '_', '-', ' ']
        .filter((wrong) => wrong !== right)
        .map((wrong) => withCharacter(secret, index, wrong)),
    ).flat();
    expect(mistyped).toHaveLength(secret.length * (BASE62.length + 2));
    expect(mistyped.filter(isWellFormedSecret)).toEqual([]);
  });

  it.each(KEYS)('is refused with any two neighbours swapped (%#)', (secret) => {
    const indexes = [...secret.slice(1)].flatMap((next, index) => (next === secret[index] ? [] : [index]));
    expect(indexes.length).toBeGreaterThan(20);
    expect(indexes.filter((index) => isWellFormedSecret(withNeighboursSwapped(secret, index)))).toEqual([]);
  });

  it('of test mode cannot be turned into a live one', () => {
    expect(isWellFormedSecret(mintSecret('test').replace('pg_test_', 'pg_live_'))).toBe(false);
  });

  it.each(['', 'pg_test_', 'Bearer', `pg_test_${'0'.repeat(38)}`])('is not %j', (text) => {
    expect(isWellFormedSecret(text)).toBe(false);
  });

  it.each([-1, 1])('is refused when %i character was lost or added at its end', (more) => {
    const secret = mintSecret('test');
    expect(isWellFormedSecret(more > 0 ? `${secret}a` : secret.slice(0, more))).toBe(false);
  });

  it.each([
    [`pg_test_${'0'.repeat(32)}`, true],
    [`pg_live_${'0'.repeat(32)}`, true],
    [`pg_test_${'0'.repeat(31)}`, false],
    [`pg_else_${'0'.repeat(32)}`, false],
    [`x pg_test_${'0'.repeat(32)}`, false],
    ['abc', false],
  ])('that begins with %s, and ends with the CRC-32 of that in base62, has its form: %s', (stem, isOne) => {
    expect(isWellFormedSecret(stem + toBase62(crc32(stem), 6))).toBe(isOne);
  });

  it.each(MODES)('shows that it is of %s mode', (mode) => {
    expect(modeOfSecret(mintSecret(mode))).toBe(mode);
  });

  it('is stored only as its SHA-256', () => {
    // FIPS 180-2, appendix B.1.
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

const NOW = Date.UTC(2026, 10, 22);
const KEY: ApiKey = {
  id: 'key_1',
  merchant: 'acme',
  mode: 'live',
  worldId: 'w',
  permissions: ['payment.read'],
  version: '2026-11-01',
  label: 'reports',
  networks: [],
  last4: 'abcd',
  createdAtMs: NOW - 30 * DAY_MS,
  expiresAtMs: null,
  revokedAtMs: null,
  successorId: null,
  lastUsedDay: null,
};

describe('a key may be used', () => {
  it.each<[what: string, key: Partial<ApiKey>, sourceIp: string]>([
    ['without an end, from everywhere', {}, '198.51.100.1'],
    ['from an unknown address', {}, ''],
    ['until the last millisecond before its end', { expiresAtMs: NOW + 1 }, '198.51.100.1'],
    ['from its network', { networks: ['203.0.113.0/24'] }, '203.0.113.7'],
    ['from one of its networks', { networks: ['2001:db8::/32', '203.0.113.0/24'] }, '203.0.113.7'],
  ])('%s', (_what, key, sourceIp) => {
    expect(keyRefusal({ ...KEY, ...key }, NOW, sourceIp)).toBeNull();
  });

  it.each<[what: string, key: Partial<ApiKey>, sourceIp: string, code: string]>([
    ['from its end on', { expiresAtMs: NOW }, '', 'api_key_expired'],
    ['once it is revoked', { revokedAtMs: NOW }, '', 'api_key_revoked'],
    ['revoked and over', { revokedAtMs: NOW, expiresAtMs: NOW - 1 }, '', 'api_key_revoked'],
    ['from another network', { networks: ['203.0.113.0/24'] }, '198.51.100.1', 'ip_not_allowed'],
    ['with networks, from an unknown address', { networks: ['0.0.0.0/0', '::/0'] }, '', 'ip_not_allowed'],
    ['over, from another network', { expiresAtMs: 0, networks: ['203.0.113.0/24'] }, '', 'api_key_expired'],
  ])('but not %s', (_what, key, sourceIp, code) => {
    expect(keyRefusal({ ...KEY, ...key }, NOW, sourceIp)).toBe(code);
  });
});

describe('the successor of a key', () => {
  const { merchant, mode, permissions, version, label } = KEY;
  const grants = { merchant, mode, permissions, version, label };

  it('has the same grants', () => {
    const networks = ['203.0.113.0/24'];
    expect(successorOf({ ...KEY, networks }, NOW)).toEqual({ ...grants, networks, expiresAtMs: null });
  });

  it('has the same lifetime as the key', () => {
    const { expiresAtMs } = successorOf({ ...KEY, expiresAtMs: KEY.createdAtMs + 90 * DAY_MS }, NOW);
    expect(expiresAtMs).toBe(NOW + 90 * DAY_MS);
  });
});

describe('a new key', () => {
  const input = {
    merchant: 'acme',
    mode: 'live',
    permissions: ['payment.read'],
    version: '2026-11-01',
    label: null,
  } as const;

  it('has the end of its secret in it, fits every network, and has no end', () => {
    const { secret, key } = newApiKey(input, 'w', NOW);
    expect(secret).toMatch(/^pg_live_/);
    expect(key).toEqual({
      ...input,
      id: expect.stringMatching(/^key_/),
      worldId: 'w',
      networks: [],
      last4: secret.slice(-4),
      createdAtMs: NOW,
      expiresAtMs: null,
      revokedAtMs: null,
      successorId: null,
      lastUsedDay: null,
    });
    expect(key.last4).toHaveLength(4);
  });

  it('may have networks and an end', () => {
    const limits = { networks: ['203.0.113.0/24'], expiresAtMs: NOW + 1 };
    expect(newApiKey({ ...input, ...limits }, 'w', NOW).key).toMatchObject(limits);
  });
});
