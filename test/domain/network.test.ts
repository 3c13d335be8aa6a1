import { describe, expect, it } from 'vitest';
import { isNetwork, isWithin } from '../../shared/domain/network.ts';

describe('a network', () => {
  it.each([
    '203.0.113.0/24',
    '203.0.113.7',
    '203.0.113.7/32',
    '0.0.0.0/0',
    '2001:db8::/32',
    '2001:db8::1',
    '2001:db8::1/128',
    '::/0',
  ])('is %s', (text) => {
    expect(isNetwork(text)).toBe(true);
  });

  it.each([
    '',
    '203.0.113.0/33',
    '203.0.113.0/-1',
    '203.0.113.0/',
    '203.0.113.0/24/8',
    '203.0.113.0/24x',
    '203.0.113.0/0024',
    '203.0.113',
    '203.0.113.256',
    '010.0.0.1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '[::1]',
    '::ffff:203.0.113.0/120',
    '::ffff:cb00:7100/120',
    'example.com',
  ])('is not %j', (text) => {
    expect(isNetwork(text)).toBe(false);
  });
});

describe('an address is in a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.255', '203.0.113.9/24'],
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7', '0.0.0.0/0'],
    ['2001:db8:ffff::1', '2001:db8::/32'],
    ['2001:db8::1', '2001:DB8:0::1'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['::ffff:cb00:7107', '203.0.113.0/24'],
  ])('that holds it: %s in %s', (address, network) => {
    expect(isWithin([network], address)).toBe(true);
    expect(isWithin(['198.51.100.0/24', '2001:db8:1::/48', network], address)).toBe(true);
  });

  it.each([
    ['203.0.114.7', '203.0.113.0/24'],
    ['203.0.113.8', '203.0.113.7'],
    ['2001:db9::1', '2001:db8::/32'],
    ['203.0.113.7', '::/0'],
    ['::ffff:203.0.113.7', '::/0'],
    ['::ffff:203.0.114.7', '203.0.113.0/24'],
    ['2001:db8::1', '0.0.0.0/0'],
    ['', '0.0.0.0/0'],
    ['unknown', '0.0.0.0/0'],
    ['203.0.113.7, 10.0.0.1', '0.0.0.0/0'],
  ])('and in no other: %j is not in %s', (address, network) => {
    expect(isWithin([network], address)).toBe(false);
  });

  it('whatever else is listed that is no network', () => {
    expect(isWithin(['example.com', '203.0.113.0/24x', '203.0.113.0/24'], '203.0.113.7')).toBe(true);
  });

  it('is false without any network', () => {
    expect(isWithin([], '203.0.113.7')).toBe(false);
  });
});
