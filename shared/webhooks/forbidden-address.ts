import { BlockList, isIP } from 'node:net';

/**
 * IPv4 that no delivery may go to: all of IANA's IPv4 Special-Purpose Address Registry (RFC 6890), its reachable blocks
 * included (no webhook endpoint is there), multicast, and what clouds use beside it.
 */
const FORBIDDEN_IPV4 = [
  '0.0.0.0/8', // this network; 0.0.0.0 connects to the machine itself
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by a provider's customers; a metadata address of Alibaba Cloud
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; the metadata addresses of AWS, Google Cloud and Azure
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; the metadata address of Oracle Cloud
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '168.63.129.16/32', // Azure's own services, on every machine of Azure
];

/**
 * Only this part of IPv6 is allocated (IANA's IPv6 Address Space registry). Outside lie loopback, unspecified, unique local
 * (fd00:ec2::254 too), link-local, site-local, multicast, and IPv4 inside IPv6: mapped, compatible, translated, NAT64.
 */
const GLOBAL_UNICAST_IPV6 = '2000::/3';
/** Within it, all of IANA's IPv6 Special-Purpose Address Registry, and ranges that were returned to IANA. */
const FORBIDDEN_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // given back
  '3fff::/20', // documentation
];
/** An IPv4 address counts in its mapped form too (`::ffff:127.0.0.1`). */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

const forbidden = blockListOf([...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6]);
const globalUnicast = blockListOf([GLOBAL_UNICAST_IPV6]);
const loopback = blockListOf(LOOPBACK);

/**
 * Why no delivery may go to an address (contract §14), or null where it is a public one.
 * @param address IPv4 with four decimal numbers, or IPv6 without brackets; anything else is not public
 */
export function forbiddenAddress(address: string): 'loopback' | 'not_public' | null {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  const isUsable = family === 'ipv4' || globalUnicast.check(address, family);
  if (isUsable && !forbidden.check(address, family)) {
    return null;
  }
  return loopback.check(address, family) ? 'loopback' : 'not_public';
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
