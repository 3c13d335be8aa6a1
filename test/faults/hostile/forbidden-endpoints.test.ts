import { createServer as createSecureServer } from 'node:https';
import { connect, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import type { Reach } from '../../../shared/domain/delivery.ts';
import { hostOf, readEndpointUrl } from '../../../shared/webhooks/endpoint-url.ts';
import { forbiddenAddress } from '../../../shared/webhooks/forbidden-address.ts';
import { Poster, type PosterOptions } from '../../../shared/webhooks/poster.ts';
import { newCertificates } from '../../support/browser/certificates.ts';
import { clientOf } from '../../support/world/api.ts';
import { newKey } from '../../support/world/merchant.ts';
import { type Listening, listen, listenHttp, listenTcp } from '../../support/world/receivers.ts';
import { eachAtOnce } from './exchange.ts';
import {
  disguised,
  FORBIDDEN_ADDRESSES,
  inUrl,
  LOOPBACK_SPELLINGS,
  OTHER_SPELLINGS,
} from './forbidden-forms.ts';

const FORMS_MIN = 60;
/** The delivery target's address, as far as the poster can see. */
const PUBLIC = '8.8.8.8';
const NAME = 'shop.example';
const REACHES = ['public', 'loopback too'] as const;

let certificate: { ca: string; key: string; cert: string };

beforeAll(async () => {
  const { ca, certificates } = await newCertificates([`DNS:${NAME}`]);
  certificate = { ca, key: certificates[0]?.key ?? '', cert: certificates[0]?.cert ?? '' };
});

/** The server that must not be reached: it counts connections, whatever their protocol. */
function startTrap(): Promise<Listening> {
  return listenTcp((socket) => socket.destroy());
}

/** A poster that reports its connections. Addresses without a port of their own lead to the trap. */
function watchedPoster(
  trap: Listening,
  resolve: PosterOptions['resolve'] & {},
  ports: Readonly<Record<string, number>> = {},
) {
  const requested: string[] = [];
  const lookedUp: string[] = [];
  const poster = new Poster({
    ca: certificate.ca,
    resolve: (name, signal) => {
      lookedUp.push(name);
      return resolve(name, signal);
    },
    connect: (options: object) => {
      const { host } = options as { host: string };
      requested.push(host);
      const there = { ...options, host: '127.0.0.1', port: ports[host] ?? trap.port };
      return 'rejectUnauthorized' in options
        ? connectSecurely(there as ConnectionOptions)
        : connect(there as TcpNetConnectOpts);
    },
  });
  onTestFinished(() => poster.close());
  return { poster, requested, lookedUp };
}

const message = (url: string, reach: Reach) => ({ url, reach, headers: {}, body: '{}' });

const HOSTS = [...FORBIDDEN_ADDRESSES.map(inUrl), ...LOOPBACK_SPELLINGS, ...OTHER_SPELLINGS];

function forbiddenUrls(port: number): string[] {
  return [...HOSTS.map((host) => `https://${host}:${port}/hook`), ...disguised(port)];
}

test('the spellings lead to this machine if addresses are not checked', async () => {
  const trap = await startTrap();
  const poster = new Poster();
  const urls = [
    ...LOOPBACK_SPELLINGS.map((host) => `https://${host}:${trap.port}/`),
    ...disguised(trap.port),
    // The trap listens at IPv4, and not every machine knows all names of its own.
  ].filter((url) => !['::1', 'shop.localhost'].includes(hostOf(new URL(url))));
  for (const url of urls) {
    const before = trap.connections();
    await poster.post(message(url, 'own'));
    expect(trap.connections(), url).toBe(before + 1);
  }
  expect(urls.length).toBeGreaterThan(LOOPBACK_SPELLINGS.length);
});

test('no URL of a forbidden place is accepted or connected to', async ({ task }) => {
  const trap = await startTrap();
  const { poster, requested, lookedUp } = watchedPoster(trap, async () => [PUBLIC]);
  const urls = forbiddenUrls(trap.port);
  const wrong: string[] = [];
  for (const url of urls) {
    for (const reach of REACHES) {
      const read = readEndpointUrl(url, reach === 'loopback too');
      const { failure } = await poster.post(message(url, reach));
      if (read instanceof URL || read.code !== 'forbidden' || failure !== 'address_forbidden') {
        wrong.push(`${url} (${reach}): ${failure}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect({ requested, lookedUp, connections: trap.connections() }).toEqual({
    requested: [],
    lookedUp: [],
    connections: 0,
  });
  expect(new Set(urls).size).toBe(urls.length);
  expect(urls.length).toBeGreaterThanOrEqual(FORMS_MIN);
  task.meta.figures = {
    'spellings of forbidden addresses in a URL, none of which was connected to': urls.length,
  };
});

test('no forbidden place can be registered, in test or live mode, and nothing is stored', async () => {
  const urls = forbiddenUrls(8443);
  for (const mode of ['test', 'live'] as const) {
    const api = clientOf((await newKey({ mode })).secret);
    const wrong = await eachAtOnce(urls, async (url) => {
      const { status, problem } = await api(operations.createWebhookEndpoint, { body: { url } });
      const errors = problem.errors?.map(({ field, code }) => `${field}: ${code}`);
      return status === 422 && String(errors) === 'url: forbidden' ? [] : [`${url}: ${status} ${errors}`];
    });
    expect(wrong.flat(), mode).toEqual([]);
    expect((await api(operations.listWebhookEndpoints)).json.data).toEqual([]);
  }
});

test('plain HTTP connects only to this machine, and only if that is allowed', async () => {
  const trap = await startTrap();
  const { poster, requested } = watchedPoster(trap, async () => ['127.0.0.1']);
  for (const host of [PUBLIC, NAME, ...HOSTS]) {
    const url = `http://${host}:${trap.port}/`;
    expect(await poster.post(message(url, 'public')), url).toMatchObject({ failure: 'address_forbidden' });
    const parsed = hostOf(new URL(url));
    if (forbiddenAddress(parsed) !== 'loopback' && !/^(shop\.)?localhost$/.test(parsed)) {
      const answer = await poster.post(message(url, 'loopback too'));
      expect(answer, url).toMatchObject({ failure: 'address_forbidden' });
    }
  }
  expect({ requested, connections: trap.connections() }).toEqual({ requested: [], connections: 0 });
});

test('no name connects to a forbidden address: alone, beside a public one, or later on', async ({ task }) => {
  const trap = await startTrap();
  const receiver = await listen(createSecureServer(certificate, (_, response) => response.end()));
  const wrong: string[] = [];
  for (const address of FORBIDDEN_ADDRESSES) {
    for (const reach of REACHES) {
      // A second lookup for the same message would return the forbidden address instead of the public one.
      const answers = [[PUBLIC], [address], [address, PUBLIC], [PUBLIC, address]];
      const { poster, requested, lookedUp } = watchedPoster(trap, async () => answers.shift() ?? [address], {
        [PUBLIC]: receiver.port,
      });
      const outcomes: unknown[] = [];
      for (let nth = 1; nth <= 4; nth += 1) {
        const { status, failure } = await poster.post(message(`https://${NAME}:8443/`, reach));
        outcomes.push(failure ?? status);
      }
      const expected = [200, ...Array(3).fill('address_forbidden')];
      if (String(outcomes) !== String(expected) || String(requested) !== PUBLIC || lookedUp.length !== 4) {
        wrong.push(
          `${address} (${reach}): ${outcomes}, connected to ${requested}, ${lookedUp.length} look-ups`,
        );
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(trap.connections()).toBe(0);
  expect(receiver.connections()).toBe(REACHES.length * FORBIDDEN_ADDRESSES.length);
  task.meta.figures = {
    'addresses that a name turned to between two look-ups, none of which was connected to':
      FORBIDDEN_ADDRESSES.length,
  };
});

test('no redirect is followed to a forbidden place', async ({ task }) => {
  const trap = await startTrap();
  const urls = forbiddenUrls(trap.port).map((url) => url.replace(/[\t\n]/g, ''));
  const locations = [
    ...urls,
    ...urls.map((url) => url.replace('https', 'http')),
    `//127.0.0.1:${trap.port}/`,
    // As the bytes of UTF-8.
  ].map((url) => Buffer.from(url).toString('latin1'));
  let location = '';
  const secure = await listen(
    createSecureServer(certificate, (_, response) => response.writeHead(307, { location }).end()),
  );
  const plain = await listenHttp((_, response) => response.writeHead(302, { location }).end());
  const ports = { [PUBLIC]: secure.port, '127.0.0.1': plain.port };
  const { poster, requested } = watchedPoster(trap, async () => [PUBLIC], ports);
  for (location of locations) {
    const outside = await poster.post(message(`https://${NAME}:8443/`, 'public'));
    const here = await poster.post(message(`http://127.0.0.1:${plain.port}/`, 'loopback too'));
    expect([outside.status, here.status, outside.headers.location], location).toEqual([
      307,
      302,
      location.trim(),
    ]);
  }
  // Each once, and then kept.
  expect(requested).toEqual([PUBLIC, '127.0.0.1']);
  expect(trap.connections()).toBe(0);
  task.meta.figures = { 'redirects to forbidden addresses, none of which was followed': locations.length };
});
