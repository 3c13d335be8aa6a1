import { BlockList, isIP } from 'node:net';

const PREFIX = /^\d{1,3}$/;
const FAMILIES = { 4: { name: 'ipv4', bits: 32 }, 6: { name: 'ipv6', bits: 128 } } as const;
/** IPv4 inside IPv6, in whatever spelling: `::ffff:203.0.113.7`, `::ffff:cb00:7107`. */
const MAPPED_IPV4 = new BlockList();
MAPPED_IPV4.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * Whether a text is a network (`203.0.113.0/24`, `2001:db8::/32`) or one address. IPv4 inside IPv6 notation is not
 * accepted.
 */
export function isNetwork(text: string): boolean {
  const network = read(text);
  return network !== null && !isMapped(network.address);
}

/** Whether an address lies in one of these networks. A text that is no address lies in none. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (isIP(address) === 0) {
    return false;
  }
  // A dual-stack socket reports IPv4 addresses inside IPv6: these are compared with IPv4 networks only.
  const family = isMapped(address) ? 'ipv4' : FAMILIES[isIP(address) as 4 | 6].name;
  const list = new BlockList();
  for (const network of networks.map(read)) {
    if (network?.family === family) {
      list.addSubnet(network.address, network.prefix, family);
    }
  }
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

function read(text: string) {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  // A zone (`fe80::1%eth0`) means something on one machine only.
  if ((version !== 4 && version !== 6) || address.includes('%') || rest.length > 0) {
    return null;
  }
  const { name: family, bits } = FAMILIES[version];
  if (prefix !== undefined && (!PREFIX.test(prefix) || Number(prefix) > bits)) {
    return null;
  }
  return { address, family, prefix: prefix === undefined ? bits : Number(prefix) };
}

function isMapped(address: string): boolean {
  return isIP(address) === 6 && MAPPED_IPV4.check(address, 'ipv6');
}
