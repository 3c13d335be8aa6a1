import { describe, expect, test } from 'vitest';
import { MERCHANTS, PG_OPTIONS } from '../../../infra/terminal/options.ts';
import { allOperations } from '../../../shared/contract/operations.ts';

const NAMES = ['url', 'forward-to', 'receiver', 'order', 'probe'] as const;
const { url: logo } = MERCHANTS.commands['set-logo'].options;

describe.each(NAMES)('the URL of --%s', (name) => {
  const read = (text: string) => PG_OPTIONS[name].read(text);

  test.each([
    'http://127.0.0.1:3000',
    'http://127.1:3000/hook',
    'HTTP://LocalHost:3000/Hook',
    'http://[::1]:3000/',
    'http://web:3000/a?b=c',
    'https://shop.example.com:443/a/../b',
    'https://ร้านค้า.ไทย/hook',
  ])('is sent, shown and stored as it was typed: %s', (text) => {
    expect(read(text)).toBe(text);
  });

  test.each([
    '',
    'localhost:3000',
    'ftp://shop.example.com',
    String.raw`http:\\127.0.0.1:3000`,
    String.raw`https://shop.example.com\@evil.example.com`,
    'http:127.0.0.1:3000',
    'http:///127.0.0.1:3000/',
    ' http://127.0.0.1:3000',
    'http://127.0.0.1:3000/a b',
    'http://127.0\n.0.1:3000/',
    'http://127。0。0。1:3000/',
    'http://a:b@127.0.0.1:3000/',
    'http://@127.0.0.1:3000/',
    'http://[fe80::1%25eth0]/',
  ])('is refused where something else would be called: %j', (text) => {
    expect(() => read(text)).toThrow(/^takes a URL without user name and password.*backslashes/);
  });
});

describe('the URL of a logo', () => {
  test.each(['https://cdn.example.com/logo.png', 'https://CDN.example.com:8443/a/..b/logo-1.png'])(
    'is taken as it was typed: %s',
    (text) => {
      expect(logo.read?.(text)).toBe(text);
    },
  );

  test.each([
    'https://cdn.example.com/a/../logo.png',
    'https://cdn.example.com/./logo.png',
    'https://cdn.example.com/a/%2e%2E/logo.png',
    'https://cdn.example.com/a/..',
    String.raw`https://cdn.example.com\logo.png`,
    'https://cdn.home.arpa/logo.png',
    'https://cdn.internal/logo.png',
    'https://printer.local:8443/logo.png',
    'https://home.arpa/logo.png',
    'https://a.localhost/logo.png',
  ])('is refused where no payer would see the picture: %s', (text) => {
    expect(() => logo.read?.(text)).toThrow(/^takes an https address of a picture/);
  });
});

const QUERIES = allOperations.flatMap(({ id, query }) =>
  query !== undefined && 'entries' in query ? [[id, Object.keys(query.entries as object)] as const] : [],
);

test.each(QUERIES.filter(([, names]) => names.includes('after')))(
  '%s has an option for each filter',
  (_id, names) => {
    const options = names.map((name) => name.replaceAll('_', '-'));
    expect(options.filter((name) => !Object.hasOwn(PG_OPTIONS, name))).toEqual([]);
  },
);
