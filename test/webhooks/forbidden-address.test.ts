import { isIP } from 'node:net';
import { describe, expect, test } from 'vitest';
import { forbiddenAddress } from '../../shared/webhooks/forbidden-address.ts';

/** Has for each block its first and last address, and the public ones right before and after it. */
const BLOCKS: Readonly<Record<string, readonly [within: string[], beside: string[]]>> = {
  'this network': [['0.0.0.0', '0.255.255.255'], ['1.0.0.0']],
  'private (10/8)': [
    ['10.0.0.0', '10.255.255.255'],
    ['9.255.255.255', '11.0.0.0'],
  ],
  shared: [
    ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
    ['100.63.255.255', '100.128.0.0'],
  ],
  'link-local, with metadata': [
    ['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
    ['169.253.255.255', '169.255.0.0'],
  ],
  'private (172.16/12)': [
    ['172.16.0.0', '172.31.255.255'],
    ['172.15.255.255', '172.32.0.0'],
  ],
  'protocol assignments': [
    ['192.0.0.0', '192.0.0.192', '192.0.0.255'],
    ['191.255.255.255', '192.0.1.0'],
  ],
  documentation: [
    ['192.0.2.0', '192.0.2.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
    ['192.0.3.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'],
  ],
  'AS112 and AMT': [
    ['192.31.196.0', '192.52.193.255', '192.175.48.1'],
    ['192.31.195.255', '192.52.194.0'],
  ],
  'relays of 6to4': [
    ['192.88.99.0', '192.88.99.255'],
    ['192.88.98.255', '192.88.100.0'],
  ],
  'private (192.168/16)': [
    ['192.168.0.0', '192.168.255.255'],
    ['192.167.255.255', '192.169.0.0'],
  ],
  benchmarks: [
    ['198.18.0.0', '198.19.255.255'],
    ['198.17.255.255', '198.20.0.0'],
  ],
  "a cloud's own": [['168.63.129.16'], ['168.63.129.15', '168.63.129.17']],
  'multicast, reserved, broadcast': [
    ['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
    ['223.255.255.255'],
  ],
  'IPv6: unspecified, and IPv4 inside it': [
    [
      '::',
      '::2',
      '::8.8.8.8', // compatible
      '::ffff:10.0.0.1', // mapped
      '::ffff:8.8.8.8',
      '::ffff:0:127.0.0.1', // translated
      '64:ff9b::127.0.0.1', // NAT64
      '64:ff9b::8.8.8.8',
      '64:ff9b:1::7f00:1',
      '2001:0:7f00:1::', // Teredo
      '2002:7f00:1::', // 6to4
      '2002:808:808::1',
    ],
    ['2001:200::', '2003::1'],
  ],
  'IPv6: unique local, with metadata': [['fc00::', 'fd00:ec2::254', 'fdff:ffff::1'], []],
  'IPv6: link-local and site-local': [['fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'feff::1'], []],
  'IPv6: multicast': [['ff00::', 'ff02::1', 'ffff:ffff::1'], []],
  'IPv6: documentation': [
    ['2001:db8::', '2001:db8:ffff::1', '3fff::', '3fff:fff::1'],
    ['2001:db7::1', '2001:db9::1', '3fff:1000::1'],
  ],
  'IPv6: protocol assignments': [['2001::', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1'], []],
  'IPv6: AS112': [['2620:4f:8000::1'], ['2620:4f:7fff::1', '2620:4f:8001::1']],
  'IPv6: not given out': [
    ['100::1', '100:0:0:1::1', '1fff::1', '3ffe::1', '4000::1', '5f00::1', 'c000::1'],
    ['2000::1', '2606:4700::1111', '2a00:1450:4001:800::200e', '3ffd::1'],
  ],
};

/** The blocks of IANA's IPv4 and IPv6 Special-Purpose Address Registries, and of multicast. */
const REGISTRIES = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.0.0/29', '192.0.0.8/32', '192.0.0.9/32', '192.0.0.10/32', '192.0.0.170/31', '192.0.2.0/24'],
  ...['192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.88.99.2/32', '192.168.0.0/16'],
  ...['192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '240.0.0.0/4'],
  ...['255.255.255.255/32', '224.0.0.0/4'],
  ...['::/128', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '100:0:0:1::/64', '2001::/23', '2001::/32'],
  ...['2001:1::1/128', '2001:1::2/128', '2001:1::3/128', '2001:2::/48', '2001:3::/32', '2001:4:112::/48'],
  ...['2001:10::/28', '2001:20::/28', '2001:30::/28', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48'],
  ...['3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

/** The first, the middle and the last address of a block, every number written out. */
function addressesOf(block: string): string[] {
  const [first = '', prefix] = block.split('/');
  const [bits, size, radix, sign] =
    isIP(first) === 4 ? ([32, 8, 10, '.'] as const) : ([128, 16, 16, ':'] as const);
  const [head = [], tail = []] = first
    .split('::')
    .map((part) => part.split(sign).filter((group) => group !== ''));
  const gap = Array(bits / size - head.length - tail.length).fill('0');
  const start = [...head, ...gap, ...tail].reduce<bigint>(
    (sum, group) => (sum << BigInt(size)) + BigInt(Number.parseInt(group, radix)),
    0n,
  );
  const length = 1n << BigInt(bits - Number(prefix));
  return [start, start + length / 2n, start + length - 1n].map((address) =>
    Array.from({ length: bits / size }, (_, index) =>
      Number((address >> BigInt(bits - size * (index + 1))) & BigInt(2 ** size - 1)).toString(radix),
    ).join(sign),
  );
}

describe('an address', () => {
  test.each(REGISTRIES)('is refused in the whole of a registered special-purpose block: %s', (block) => {
    const addresses = addressesOf(block);
    expect(addresses.map((address) => [address, isIP(address) !== 0, forbiddenAddress(address)])).toEqual(
      addresses.map((address) => [address, true, 'not_public']),
    );
  });

  test.each(Object.entries(BLOCKS))(
    'is refused within %s, and accepted right beside it',
    (_, [within, beside]) => {
      expect(within.map((address) => [address, forbiddenAddress(address)])).toEqual(
        within.map((address) => [address, 'not_public']),
      );
      expect(beside.filter((address) => forbiddenAddress(address) !== null)).toEqual([]);
    },
  );

  test.each(['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])(
    '%s is known as this machine itself',
    (address) => {
      expect(forbiddenAddress(address)).toBe('loopback');
    },
  );

  test.each(['', 'localhost', '127.1', '0x7f.0.0.1', '017700000001', '2130706433', '8.8.8.8 ', '[2606::1]'])(
    'that is malformed, or in an unusual notation, is not public: "%s"',
    (text) => {
      expect(forbiddenAddress(text)).toBe('not_public');
    },
  );
});
