import { afterEach, describe, expect, test, vi } from 'vitest';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { checkEndpointUrl } from '../../shared/webhooks/reach.ts';

const NOW_MS = Date.parse('2027-03-01T02:00:00Z');

afterEach(() => {
  vi.unstubAllEnvs();
});

const codesOf = (url: unknown, mode: 'live' | 'test' = 'live') =>
  checkEndpointUrl({ url }, NOW_MS, mode).map(({ field, code }) => `${field}: ${code}`);

describe("an endpoint's URL", () => {
  test.each([
    'https://shop.example.com/webhooks',
    'HTTPS://Shop.Example.com:8443/Hook?a=b%20c',
    'https://ร้านค้า.ไทย/hook',
    'https://น้ำ.ไทย/hook',
    'https://xn--42c5b3a1dc8kd.xn--o3cw4h/',
    'https://BÜCHER.example.com/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://[2606:4700:0:0::1111]:8443/',
    'https://shop.example.com/a@b/%5C',
  ])('is stored and used as it is written: %j', (url) => {
    expect(codesOf(url)).toEqual([]);
  });

  test.each([
    'https:\\\\shop.example.com\\webhooks',
    'https:/\\shop.example.com/',
    'https://shop.example.com\\webhooks',
    'https://shop.example.com\\@evil.example.com/',
    'https://shop.example.com/a\\b',
    'https://shop.example.com/?a=\\',
    'https:shop.example.com',
    'https:/shop.example.com/',
    'https:///shop.example.com/',
    'https:////shop.example.com/',
    ' https://shop.example.com/',
    'https://shop.example.com/ ',
    'https://shop.example.com/a b',
    'https://shop.example.com/\n',
    'ht\ttps://shop.example.com/',
    'https://shop\n.example.com/',
    'https://shop.example.com/a\r\nb',
    '\u0000https://shop.example.com/',
    'https://shop.example.com/\u0000',
    'https://shop.example.com/\u00a0',
    'https://sh\u00adop.example.com/',
    'https://sh\u200bop.example.com/',
    'https://shop.example.com/\u202e',
    'https://shop.example.com/\ud800',
    'https://shop。example.com/',
    'https://shop．example｡com/',
    'https://ｓhop.example.com/',
    'https://ⓢhop.example.com/',
    'https://%73hop.example.com/',
    'https://shop%2eexample.com/',
    'https://８.8.8.8/',
    'https://8.8.8%2e8/',
    'https://@shop.example.com/',
  ])('is refused with the reason where a URL parser would read another one: %j', (url) => {
    vi.stubEnv(VARIABLES.loopback, 'allowed');
    const [error, ...more] = checkEndpointUrl({ url }, NOW_MS, 'test');
    expect(more).toEqual([]);
    expect(error).toMatchObject({ field: 'url', code: 'format' });
    expect(error?.message).toMatch(/backslash/);
    expect(error?.message).not.toContain('shop');
    expect(codesOf(url)).toEqual(['url: format']);
  });

  test.each([
    'https:\\\\127.0.0.1/',
    'https://10.0.0.1\\@shop.example.com/',
    ' https://home.arpa',
    'https://①0.1/',
  ])('is forbidden for where it leads first, however it is written: %j', (url) => {
    expect(codesOf(url)).toEqual(['url: forbidden']);
  });

  test.each([
    'http://127.0.0.1:3000/hook',
    'http://127.1:3000/',
    'http://[::1]:3000/',
    'http://localhost:3000/',
  ])('may lead to this machine where that is allowed, in test mode alone: %j', (url) => {
    expect(codesOf(url, 'test')).toEqual(['url: forbidden']);
    vi.stubEnv(VARIABLES.loopback, 'allowed');
    expect(codesOf(url, 'test')).toEqual([]);
    expect(codesOf(url)).toEqual(['url: forbidden']);
  });
});
