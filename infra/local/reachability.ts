import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Problem } from '../../shared/errors/problem.ts';
import { hostOf, isLoopbackHost, readEndpointUrl } from '../../shared/webhooks/endpoint-url.ts';

/*
 * Who can reach the service of this machine, and what it refuses then. A page of any site can have a browser send requests
 * here under a name of its own that leads to this machine (DNS rebinding): so the name is always checked.
 */

const LOOPBACK = '127.0.0.1';
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
/** RFC 1918. */
const PRIVATE_ADDRESSES = new BlockList();
PRIVATE_ADDRESSES.addSubnet('10.0.0.0', 8);
PRIVATE_ADDRESSES.addSubnet('172.16.0.0', 12);
PRIVATE_ADDRESSES.addSubnet('192.168.0.0', 16);

/** The options of a start that say who can reach the service. */
export interface ReachOptions {
  /** One more address to listen on. */
  readonly host?: string | undefined;
  /** Whether it listens on the address that this machine has in a private network. */
  readonly lan?: boolean;
  /** The address under which people reach it, from a tunnel or a proxy. */
  readonly publicUrl?: string | undefined;
}

export interface Reachability {
  /** The addresses that it listens on. */
  readonly addresses: readonly string[];
  /** The base URL in responses, from what was asked for; null: that of loopback. @param port where it listens */
  baseUrl(port: number): string | null;
  /** Whether other machines can reach it. */
  readonly isOpen: boolean;
  /** Whether a host name, of the `Host` header, is its own. */
  isOwnName(hostname: string): boolean;
}

/** For programs of this machine alone. */
export const LOOPBACK_ALONE: Reachability = reachabilityOf({});

/** @throws Error where this machine is in no private network */
export function reachabilityOf({ host, lan = false, publicUrl }: ReachOptions): Reachability {
  const lanAddress = lan ? requireLanAddress() : null;
  const asked = [host, lanAddress].filter((address) => address !== null && address !== undefined);
  const isEverywhere = asked.some((address) => EVERYWHERE.has(address));
  const publicHost = publicUrl === undefined ? [] : [hostOf(new URL(publicUrl))];
  const names = new Set([...asked, ...publicHost]);
  const isOpen = [...names].some((name) => !isLoopbackHost(name));
  return {
    // Everywhere has loopback in it.
    addresses: isEverywhere
      ? asked.filter((address) => EVERYWHERE.has(address))
      : [...new Set([LOOPBACK, ...asked])],
    baseUrl: (port) => publicUrl ?? (lanAddress === null ? null : `http://${lanAddress}:${port}`),
    isOpen,
    isOwnName: (name) =>
      isLoopbackHost(name) || names.has(name) || (isEverywhere && ownAddresses().includes(name)),
  };
}

/**
 * Refuses a request by its address, before anything else looks at it.
 * @throws Problem `misdirected_request` under a foreign name; `live_mode_unavailable` for a live key where others can
 *   reach the service
 */
export function checkSender({ headersDistinct }: IncomingMessage, reachability: Reachability): void {
  const [host] = headersDistinct.host ?? [];
  // HTTP/1.0 has none, and no browser sends that.
  if (host !== undefined && !reachability.isOwnName(nameIn(host))) {
    throw new Problem('misdirected_request');
  }
  const isLive = headersDistinct.authorization?.some((value) => /\bpg_live_/i.test(value)) === true;
  if (isLive && reachability.isOpen) {
    const detail =
      'Other machines can reach this service, so it takes no live key. Use one that begins with pg_test_.';
    throw new Problem('live_mode_unavailable', { detail });
  }
}

/**
 * Refuses a webhook endpoint on this machine from another machine, or through a tunnel: it would reach programs that
 * listen for programs of this machine alone.
 * @param body of the request
 * @throws Problem `validation_failed`
 */
export function checkEndpointOfSender(request: IncomingMessage, body: Buffer): void {
  const refusal = isOfThisMachine(request) ? null : readUrlIn(body);
  if (refusal !== null && !(refusal instanceof URL)) {
    throw new Problem('validation_failed', { errors: [{ field: 'url', ...refusal }] });
  }
}

function isOfThisMachine({ socket, headersDistinct }: IncomingMessage): boolean {
  const address = socket.remoteAddress ?? '';
  const [host = LOOPBACK] = headersDistinct.host ?? [];
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip'].some((name) => name in headersDistinct);
  return isLoopbackHost(address) && isLoopbackHost(nameIn(host)) && !isForwarded;
}

function readUrlIn(body: Buffer): ReturnType<typeof readEndpointUrl> | null {
  try {
    const { url } = JSON.parse(body.toString()) as { url?: unknown };
    return typeof url === 'string' ? readEndpointUrl(url, false) : null;
  } catch {
    // The function says what is wrong with it.
    return null;
  }
}

/** The host name of a `Host` header, as URLs have it; the empty text for what is none. */
function nameIn(host: string): string {
  const url = URL.parse(`http://${host}`);
  return url === null || url.pathname !== '/' || url.username !== '' ? '' : hostOf(url);
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
}

function requireLanAddress(): string {
  const found = ownAddresses().find((address) => isIPv4(address) && PRIVATE_ADDRESSES.check(address));
  if (found === undefined) {
    throw new Error('This machine has no address in a private network, so --lan has nothing to listen on.');
  }
  return found;
}
