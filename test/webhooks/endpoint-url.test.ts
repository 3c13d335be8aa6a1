import { describe, expect, test } from 'vitest';
import { readEndpointUrl, type UrlRefusal } from '../../shared/webhooks/endpoint-url.ts';

/** In live mode and on AWS. */
const read = (text: string) => readEndpointUrl(text, false);
/** In test mode, where the service runs on the developer's machine. */
const readAtHome = (text: string) => readEndpointUrl(text, true);
const codeOf = (answer: URL | UrlRefusal) => (answer instanceof URL ? answer.href : answer.code);
const messageOf = (answer: URL | UrlRefusal) => (answer instanceof URL ? answer.href : answer.message);

/** The special-use names of IANA (RFC 6761) that mean another host on every network, or none, and ICANN's `internal`. */
const OWN_NETWORKS = [
  'local',
  'localdomain',
  'internal',
  'home.arpa',
  'in-addr.arpa',
  '10.in-addr.arpa',
  'ip6.arpa',
  'ipv4only.arpa',
  'resolver.arpa',
  'service.arpa',
  'eap.arpa',
  '6tisch.arpa',
  'arpa',
  'onion',
  'alt',
];
const NOT_PUBLIC = 'must name a host on the public internet';
const THIS_MACHINE = 'must not lead to the machine itself';

describe('the address of an endpoint', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['https://hooks.example.com:8443/a/b?c=d', 'https://hooks.example.com:8443/a/b?c=d'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://example.com:1024/', 'https://example.com:1024/'],
    ['https://example.com:65535/', 'https://example.com:65535/'],
    ['HTTPS://EXAMPLE.com/Hook', 'https://example.com/Hook'],
    ['https://ร้านค้า.ไทย/hook', 'https://xn--42c5b3a1dc8kd.xn--o3cw4h/hook'],
    ['https://a_b.example.com/', 'https://a_b.example.com/'],
    ['https://1e100.net/', 'https://1e100.net/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://134744072/', 'https://8.8.8.8/'],
    ['https://[2606:4700::1111]:8443/', 'https://[2606:4700::1111]:8443/'],
    ['https://10.example.com/', 'https://10.example.com/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://@example.com/', 'https://example.com/'],
  ])('may be https to a public host: %s', (text, href) => {
    expect(codeOf(read(text))).toBe(href);
    expect(codeOf(readAtHome(text))).toBe(href);
  });

  test.each([
    '',
    'example.com',
    '/hook',
    'https://',
    'https://[::1',
    'https://[::1%25lo]/',
    'https://[fe80::1%eth0]/',
    'https://a b/',
    'https://a%20b.com/',
    'https://1.2.3.4.5/',
    'https://256.1.1.1/',
  ])('must be a URL: "%s"', (text) => {
    expect(codeOf(read(text))).toBe('format');
    expect(codeOf(readAtHome(text))).toBe('format');
  });

  test.each(['test', 'example', 'invalid', 'example.com', 'myhome.arpa.th', 'local.example.com', 'onion.co'])(
    'may have a name that programs treat like any other (RFC 6761): %s',
    (name) => {
      expect(codeOf(read(`https://shop.${name}/hook`))).toBe(`https://shop.${name}/hook`);
    },
  );

  test.each<[message: string, text: string]>([
    ['must be https', 'http://example.com/'],
    ['must be https', 'http://example.com:8080/'],
    ['must be https', 'http://10.0.0.1:8080/'],
    ['must be https', 'ftp://example.com/'],
    ['must be https', 'file:///etc/passwd'],
    ['must be https', 'javascript:alert(1)'],
    ['must be https', 'wss://example.com/'],
    ['must not have a user name or password', 'https://user@example.com/'],
    ['must not have a user name or password', 'https://:secret@example.com/'],
    ['must not have a user name or password', 'https://127.0.0.1@example.com/'],
    ['must not have a fragment', 'https://example.com/#'],
    ['must not have a fragment', 'https://example.com/#part'],
    ['must have port 443, or one from 1024 on', 'https://example.com:80/'],
    ['must have port 443, or one from 1024 on', 'https://example.com:0/'],
    ['must have port 443, or one from 1024 on', 'https://example.com:22/'],
    ['must have port 443, or one from 1024 on', 'https://example.com:1023/'],
    [NOT_PUBLIC, 'https://intranet/'],
    [NOT_PUBLIC, 'https://metadata/'],
    [NOT_PUBLIC, 'https://metadata.google.internal/'],
    [NOT_PUBLIC, 'https://instance-data.ec2.internal/'],
    [NOT_PUBLIC, 'https://printer.local/'],
    [NOT_PUBLIC, 'https://localhost.localdomain/'],
    [NOT_PUBLIC, 'https://router.home.arpa/'],
    ...OWN_NETWORKS.flatMap((name): [string, string][] =>
      [name, name.toUpperCase(), `${name}.`, `shop.${name}`, `Shop.${name}:8443`, `a.b.${name}.`].map(
        (host) => [NOT_PUBLIC, `https://${host}/hook`],
      ),
    ),
    [NOT_PUBLIC, 'https://home。arpa/'],
    [NOT_PUBLIC, 'https://home．arpa/'],
    [NOT_PUBLIC, 'https://home｡arpa/'],
    [NOT_PUBLIC, 'https://ｈｏｍｅ.ａｒｐａ/'],
    [NOT_PUBLIC, 'https://home%2earpa/'],
    [NOT_PUBLIC, 'https://%68ome.arpa/'],
    [NOT_PUBLIC, 'https://ho\u00adme.arpa/'],
    [NOT_PUBLIC, 'https:\\\\home.arpa/'],
    [NOT_PUBLIC, 'https://home.arpa\\@shop.example.com/'],
    [NOT_PUBLIC, 'https://ho\tme.ar\npa/'],
    [NOT_PUBLIC, ' https://home.arpa/ '],
    [NOT_PUBLIC, 'https://example.com./'],
    [NOT_PUBLIC, 'https://localhost./'],
    [NOT_PUBLIC, 'https://metadata.google.internal./'],
    [NOT_PUBLIC, 'https://foo..com/'],
    [NOT_PUBLIC, 'https://.com/'],
    [NOT_PUBLIC, 'https://./'],
    [NOT_PUBLIC, `https://${'a'.repeat(64)}.com/`],
    [NOT_PUBLIC, `https://${'a.'.repeat(130)}com/`],
    [NOT_PUBLIC, 'https://10.0.0.1/'],
    [NOT_PUBLIC, 'https://192.168.1.1/'],
    [NOT_PUBLIC, 'https://169.254.169.254/latest/meta-data/'],
    [NOT_PUBLIC, 'https://0.0.0.0/'],
    [NOT_PUBLIC, 'https://0/'],
    [NOT_PUBLIC, 'https://0xA9FEA9FE/'],
    [NOT_PUBLIC, 'https://[::]/'],
    [NOT_PUBLIC, 'https://[::ffff:10.0.0.1]/'],
    [NOT_PUBLIC, 'https://[::ffff:8.8.8.8]/'],
    [NOT_PUBLIC, 'https://[::127.0.0.1]/'],
    [NOT_PUBLIC, 'https://[64:ff9b::7f00:1]/'],
    [NOT_PUBLIC, 'https://[2002:7f00:1::]/'],
    [NOT_PUBLIC, 'https://[fd00:ec2::254]/'],
    [NOT_PUBLIC, 'https://[fe80::1]/'],
  ])('is refused, as it %s: %s', (message, text) => {
    for (const answer of [read(text), readAtHome(text)]) {
      expect({ code: codeOf(answer), message: messageOf(answer) }).toEqual({ code: 'forbidden', message });
    }
  });

  test.each([
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://127.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1:8443/',
    'https://127.255.255.254/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https:127.1',
    'https:/\\127.1',
    'ht\ntps://127\t.1/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://ⅼocalhost/',
    'https://a.b.localhost/',
  ])('is not https to this machine, anywhere, in any spelling: %s', (text) => {
    expect(messageOf(read(text))).toBe(THIS_MACHINE);
    expect(messageOf(readAtHome(text))).toBe('must be http to this machine');
  });

  test.each([
    ['http://127.0.0.1:3000/hook', 'http://127.0.0.1:3000/hook'],
    ['http://127.1:3000/', 'http://127.0.0.1:3000/'],
    ['http://[::1]:3000/', 'http://[::1]:3000/'],
    ['http://localhost:3000/', 'http://localhost:3000/'],
    ['http://shop.localhost:3000/', 'http://shop.localhost:3000/'],
  ])('may be http to this machine only where that is allowed: %s', (text, href) => {
    expect(codeOf(readAtHome(text))).toBe(href);
    expect(messageOf(read(text))).toBe(THIS_MACHINE);
  });

  test.each([
    ['http://127.0.0.1/', 'must have port 443, or one from 1024 on'],
    ['http://127.0.0.1:22/', 'must have port 443, or one from 1024 on'],
    ['http://user@127.0.0.1:3000/', 'must not have a user name or password'],
    ['http://127.0.0.1:3000/#a', 'must not have a fragment'],
    ['ftp://127.0.0.1:3000/', 'must be http to this machine'],
    ['http://localhost.:3000/', 'must be https'],
    ['http://0.0.0.0:3000/', 'must be https'],
    ['http://[::]:3000/', 'must be https'],
  ])('of this machine keeps to the other rules: %s %s', (text, message) => {
    expect(messageOf(readAtHome(text))).toBe(message);
  });
});
