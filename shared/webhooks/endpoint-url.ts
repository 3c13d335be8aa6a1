import { isIP } from 'node:net';
import { ENDPOINT_URL_FAULTS, type EndpointUrlFault } from '../domain/endpoint-url-faults.ts';
import { forbiddenAddress } from './forbidden-address.ts';

/** Why an address is refused, in the form of a field error. */
export interface UrlRefusal {
  /** `format`: it is no URL. */
  readonly code: 'format' | 'forbidden';
  readonly message: string;
}

const HTTPS_PORT = 443;
/** Lower ports are for services of the machine itself: mail, logins, files. */
const FREE_PORT_MIN = 1_024;
const NAME_MAX_CHARS = 253;
/** A name with a dot, as parsers leave it: lower case, IDN as `xn--…`. A name without a dot is of a local network. */
const PUBLIC_NAME = /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
/**
 * Names that mean something else on every network, or have no host in the DNS: of IANA's special-use names, all but those
 * that programs are to treat like any other (`test`, `example`, `invalid`; RFC 6761). `arpa` is for the DNS itself, with
 * `home.arpa`. ICANN reserved `internal`.
 */
const OWN_NETWORK = /(^|\.)(localhost|localdomain|local|internal|arpa|onion|alt)$/;
const LOOPBACK_NAME = /^([^.]+\.)*localhost$/;

/**
 * Reads the address of a merchant's own server and checks it by contract §14: https to public addresses, http to
 * loopback only. It checks what the URL parser makes of it, since many spellings name the same host. A name is not
 * resolved here: its addresses are checked when something is sent.
 * @param isLoopbackAllowed in test mode, where the service itself runs on this machine
 */
export function readEndpointUrl(text: string, isLoopbackAllowed: boolean): URL | UrlRefusal {
  const url = URL.parse(text);
  if (url === null) {
    return { code: 'format', message: 'must be a URL' };
  }
  const fault = faultIn(url, isLoopbackAllowed);
  return fault === null ? url : { code: 'forbidden', message: ENDPOINT_URL_FAULTS[fault] };
}

function faultIn(url: URL, isLoopbackAllowed: boolean): EndpointUrlFault | null {
  const isLoopback = isLoopbackHost(hostOf(url));
  if (isLoopback && !isLoopbackAllowed) {
    return 'machine';
  }
  if (isLoopback ? url.protocol !== 'http:' : url.protocol !== 'https:') {
    return isLoopback ? 'httpToMachine' : 'https';
  }
  if (!isLoopback && !isPublicHost(hostOf(url))) {
    return 'publicHost';
  }
  if (url.username !== '' || url.password !== '') {
    return 'user';
  }
  if (url.href.includes('#')) {
    return 'fragment';
  }
  const port = Number(url.port || (url.protocol === 'https:' ? HTTPS_PORT : 80));
  return port === HTTPS_PORT || port >= FREE_PORT_MIN ? null : 'port';
}

/** The host of a URL as it is connected to: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Whether a name means this machine without a DNS query (RFC 6761, section 6.3). */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK_NAME.test(host);
}

/** Whether a host, a name or an address, means this machine. */
export function isLoopbackHost(host: string): boolean {
  return isIP(host) === 0 ? isLoopbackName(host) : forbiddenAddress(host) === 'loopback';
}

/** Whether a host may be on the public internet: its name or its address. Names are not resolved. */
export function isPublicHost(host: string): boolean {
  return isIP(host) === 0
    ? host.length <= NAME_MAX_CHARS && PUBLIC_NAME.test(host) && !OWN_NETWORK.test(host)
    : forbiddenAddress(host) === null;
}
