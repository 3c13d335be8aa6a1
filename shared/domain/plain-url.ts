import { isIP } from 'node:net';

/** Characters that URL parsers drop or repair: white space, controls, unseen characters, and backslashes. */
const REPAIRED = /(?![\u200c\u200d])[\s\\\p{Cc}\p{Cf}]/u;
const WRITTEN_HOST = /^https?:\/\/([^/?#]+?)(?::\d*)?(?:[/?#]|$)/i;
/** An IPv4 address in any notation: `127.0.0.1`, `127.1`, `0x7f.1`, `2130706433`. */
const WRITTEN_IPV4 = /^[\da-fx.]+$/i;

/** What `readPlainUrl` takes, after "must be" or "takes". */
export const PLAIN_URL =
  'without user name and password, written as it is called: no backslashes, spaces, line breaks or unseen characters, and a host without escapes and look-alikes';

/**
 * Reads an http(s) URL without user name and password; null for anything else. It takes a URL only if programs agree
 * on what it names: parsers take backslashes for slashes, drop tabs and line breaks, and read one host as another.
 */
export function readPlainUrl(text: string): URL | null {
  const [, host] = WRITTEN_HOST.exec(text) ?? [];
  const url = REPAIRED.test(text) || !text.isWellFormed() ? null : URL.parse(text);
  return url !== null && host !== undefined && isHostOf(url, host) ? url : null;
}

/** Whether a URL's host is the one that was written: beside case, a parser may only have encoded its foreign labels. */
function isHostOf({ hostname }: URL, written: string): boolean {
  if (isIP(hostname) === 4) {
    return WRITTEN_IPV4.test(written);
  }
  const labels = written.toLowerCase().split('.');
  const read = hostname.split('.');
  return (
    hostname.startsWith('[') ||
    (labels.length === read.length &&
      read.every((label, index) => label.startsWith('xn--') || label === labels[index]))
  );
}
