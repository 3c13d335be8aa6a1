import { channel } from 'node:diagnostics_channel';
import { createServer as createSecureServer } from 'node:https';
import { connect as connectPlainly, type Socket, type TcpNetConnectOpts } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Post, Poster, type PosterOptions } from '../../shared/webhooks/poster.ts';
import { newCertificates } from '../support/browser/certificates.ts';
import { listen, listenDeaf, listenHttp, listenTcp, unusedPort } from '../support/world/receivers.ts';

/** Long enough for any immediate response, and short enough to wait for. */
const SHORT_MS = 400;
const MB = 1_024 * 1_024;
/** The poster's timers alone: Node's own go on, and so do their effects. */
const TIMERS = { toFake: ['setTimeout', 'clearTimeout'] } satisfies Parameters<typeof vi.useFakeTimers>[0];

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

function newPoster(options: PosterOptions = {}): Poster {
  const poster = new Poster(options);
  onTestFinished(() => poster.close());
  return poster;
}

/** Posts to a port of this machine. */
function postTo(port: number, options: PosterOptions = {}, message: Partial<Post> = {}) {
  const url = `http://127.0.0.1:${port}/hook?a=b`;
  return newPoster(options).post({ url, reach: 'loopback too', headers: {}, body: '{}', ...message });
}

/** The bytes that this process reads from now on over connections that it makes. */
function countReads(): () => number {
  const sockets: Socket[] = [];
  const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
  const connections = channel('net.client.socket');
  connections.subscribe(note);
  onTestFinished(() => {
    connections.unsubscribe(note);
  });
  return () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
}

const NOTHING = { status: null, headers: {}, bodyStart: '' };

describe('a message', () => {
  test('arrives as it was written, and its response comes back', async () => {
    const received: unknown[] = [];
    const { port } = await listenHttp(async (request, response) => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body: await text(request) });
      response.writeHead(202, { 'Retry-After': '120', 'X-Mine': 'yes' }).end('thanks, ขอบคุณ');
    });
    const headers = { 'content-type': 'application/json', 'webhook-attempt': '3' };
    const answer = await postTo(port, {}, { headers, body: '{"name":"สมชาย"}' });
    expect(received).toEqual([
      {
        method: 'POST',
        url: '/hook?a=b',
        headers: {
          ...headers,
          host: `127.0.0.1:${port}`,
          'accept-encoding': 'identity',
          'content-length': '26',
          connection: 'keep-alive',
        },
        body: '{"name":"สมชาย"}',
      },
    ]);
    expect(answer).toEqual({
      status: 202,
      headers: expect.objectContaining({ 'retry-after': '120', 'x-mine': 'yes' }),
      bodyStart: 'thanks, ขอบคุณ',
      failure: null,
      durationMs: expect.any(Number),
    });
    expect(Number.isInteger(answer.durationMs)).toBe(true);
  });

  test.each([301, 302, 303, 307, 308])('does not follow a redirect: %i is its response', async (status) => {
    const elsewhere = await listenHttp((_, response) => response.end());
    const { port } = await listenHttp((_, response) =>
      response.writeHead(status, { Location: `http://127.0.0.1:${elsewhere.port}/` }).end('moved'),
    );
    expect(await postTo(port)).toMatchObject({ status, bodyStart: 'moved', failure: null });
    expect(elsewhere.connections()).toBe(0);
  });

  test.each([204, 304, 400, 410, 500, 503])('gets any status as its response: %i', async (status) => {
    const { port } = await listenHttp((_, response) => response.writeHead(status).end());
    expect(await postTo(port)).toMatchObject({ status, bodyStart: '', failure: null });
  });

  test('is not held up by interim responses', async () => {
    const { port } = await listenHttp((_, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.end('done');
    });
    expect(await postTo(port)).toMatchObject({ status: 200, bodyStart: 'done', failure: null });
  });
});

describe('of a response', () => {
  test('64 KB are read, and 1 KB is kept, for any length', async () => {
    const { port } = await listenHttp((_, response) => response.end(Buffer.alloc(10 * MB, 'x')));
    const read = countReads();
    const answer = await postTo(port);
    expect(answer).toMatchObject({ status: 200, bodyStart: 'x'.repeat(1_024), failure: null });
    // Its head, and the piece in which the 64th KB came.
    expect(read()).toBeGreaterThanOrEqual(64 * 1_024);
    expect(read()).toBeLessThan(2 * 64 * 1_024 + 1_024);
  });

  test('a body that would expand is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * MB));
    const { port } = await listenHttp((_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': bomb.length }).end(bomb),
    );
    const read = countReads();
    const answer = await postTo(port);
    expect(answer).toMatchObject({ status: 200, failure: null });
    expect(answer.bodyStart.charCodeAt(0)).toBe(0xfffd);
    expect(answer.bodyStart).not.toContain('\0');
    expect(read()).toBeGreaterThan(bomb.length);
    expect(read()).toBeLessThan(bomb.length + 1_024);
  });

  test.each<[string, Buffer, string]>([
    ['bytes that are no text', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a\u{fffd}\u{fffd}b'],
    ['control characters', Buffer.from('a\0\u{1b}[31m\u{85}\tb\r\n'), 'a\u{fffd}\u{fffd}[31m\u{fffd}\tb\r\n'],
    ['a character that was cut', Buffer.from(`${'x'.repeat(1_021)}😀`), 'x'.repeat(1_021)],
    ['bytes that become longer', Buffer.alloc(2_000, 0xff), '\u{fffd}'.repeat(341)],
    ['many pieces', Buffer.from('ก'.repeat(900)), 'ก'.repeat(341)],
  ])('%s are kept as text of 1 KB at most', async (_, bytes, kept) => {
    const { port } = await listenHttp(async (__, response) => {
      for (let from = 0; from < bytes.length; from += 700) {
        response.write(bytes.subarray(from, from + 700));
        await new Promise(setImmediate);
      }
      response.end();
    });
    const { bodyStart } = await postTo(port);
    expect(bodyStart).toBe(kept);
    expect(Buffer.byteLength(bodyStart)).toBeLessThanOrEqual(1_024);
  });
});

describe('a receiver that', () => {
  test('drips a byte at a time is cut off, with what came', async () => {
    const { port } = await listenHttp((_, response) => {
      const dripping = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(dripping));
    });
    const answer = await postTo(port, { timeoutMs: SHORT_MS });
    expect(answer).toMatchObject({ status: 200, failure: 'timeout' });
    expect(answer.bodyStart).toMatch(/^\.+$/);
  });

  test('drips the head of its response is cut off', async () => {
    const { port } = await listenTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-A: ');
      const dripping = setInterval(() => socket.write('a'), 20);
      socket.on('close', () => clearInterval(dripping));
    });
    const answer = await postTo(port, { timeoutMs: SHORT_MS });
    expect(answer).toMatchObject({ ...NOTHING, failure: 'timeout' });
  });

  test.each<[string, (socket: Socket) => void, object]>([
    ['says nothing', () => undefined, { ...NOTHING, failure: 'timeout' }],
    [
      'only ever promises to answer',
      (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)),
      { ...NOTHING, failure: 'timeout' },
    ],
    [
      'does not end its answer',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
      { status: 200, bodyStart: 'half', failure: 'timeout' },
    ],
    [
      'hangs up without an answer',
      (socket) => socket.once('data', () => socket.end()),
      { ...NOTHING, failure: 'connection_lost' },
    ],
    [
      'resets the connection',
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
      { ...NOTHING, failure: 'connection_lost' },
    ],
    [
      'resets the connection within its answer',
      (socket) =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', () =>
          setTimeout(() => socket.resetAndDestroy(), 50),
        ),
      { status: 200, bodyStart: 'half', failure: 'connection_lost' },
    ],
    [
      'speaks something else',
      (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
      { ...NOTHING, failure: 'invalid_answer' },
    ],
    [
      'sends a head without end',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`),
      { ...NOTHING, failure: 'invalid_answer' },
    ],
    [
      'contradicts itself about the length',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'),
      { ...NOTHING, failure: 'invalid_answer' },
    ],
    [
      'breaks the form within its answer',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nxyz'),
      { status: 200, failure: 'invalid_answer' },
    ],
    [
      'changes the protocol',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      { ...NOTHING, failure: 'connection_lost' },
    ],
  ])('%s has failed', async (_, behave, outcome) => {
    const { port } = await listenTcp(behave);
    const answer = await postTo(port, { timeoutMs: SHORT_MS });
    expect(answer).toMatchObject(outcome);
  });

  test('does not listen cannot be reached', async () => {
    expect(await postTo(await unusedPort())).toMatchObject({ ...NOTHING, failure: 'unreachable' });
  });

  test('stays silent is unreachable in time, and no other address is tried', { tags: 'slow' }, async () => {
    const port = await listenDeaf();
    const { connections } = await listenHttp((_, response) => response.end(), '::1', port);
    const answer = await postTo(port, { timeoutMs: SHORT_MS }, { url: `http://localhost:${port}/` });
    expect(answer).toMatchObject({ ...NOTHING, failure: 'unreachable' });
    expect(connections()).toBe(0);
  });

  test('has no name, or none in time, is not found', async () => {
    const message: Post = { url: 'https://shop.example:8443/', reach: 'public', headers: {}, body: '' };
    for (const resolve of [
      async () => [],
      async () => Promise.reject(new Error('SERVFAIL')),
      () => new Promise<never>(() => undefined),
    ]) {
      const answer = await newPoster({ resolve, timeoutMs: SHORT_MS }).post(message);
      expect(answer).toMatchObject({ ...NOTHING, failure: 'name_not_found' });
    }
  });
});

describe('time', () => {
  test.each([
    ['15 seconds in all by default', 15_000, {}],
    ['what the caller gives', SHORT_MS, { timeoutMs: SHORT_MS }],
  ])('is %s', async (_, limitMs, options) => {
    vi.useFakeTimers();
    const message: Post = { url: 'https://shop.example/', reach: 'public', headers: {}, body: '' };
    let answer: unknown = null;
    const posted = newPoster({ ...options, resolve: () => new Promise(() => undefined) }).post(message);
    posted.then((made) => {
      answer = made;
    });
    await vi.advanceTimersByTimeAsync(limitMs - 1);
    expect(answer).toBe(null);
    await vi.advanceTimersByTimeAsync(1);
    expect(answer).toMatchObject({ failure: 'name_not_found', durationMs: limitMs });
  });

  test('that is left is not waited for', async () => {
    const { port } = await listenHttp((_, response) => response.end());
    const nowhere = await unusedPort();
    vi.useFakeTimers(TIMERS);
    expect(await postTo(port)).toMatchObject({ status: 200 });
    expect(await postTo(nowhere)).toMatchObject({ failure: 'unreachable' });
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  });

  test('may all be used for a response', async () => {
    const requested = Promise.withResolvers<() => void>();
    const { port } = await listenHttp((_, response) => requested.resolve(() => response.end('late')));
    vi.useFakeTimers(TIMERS);
    const posted = postTo(port);
    const answer = await requested.promise;
    vi.advanceTimersByTime(14_999);
    answer();
    expect(await posted).toMatchObject({ status: 200, bodyStart: 'late', failure: null });
  });

  test('runs on from the look-up to the last byte', async () => {
    const { port } = await listenHttp((_, response) => {
      response.write('.');
    });
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, SHORT_MS / 2));
      return ['8.8.8.8'];
    };
    const connect = (options: object) =>
      connectPlainly({ ...options, host: '127.0.0.1', port } as TcpNetConnectOpts);
    const poster = newPoster({ resolve: slow, timeoutMs: SHORT_MS, connect });
    const url = 'https://shop.example/';
    const { durationMs, failure } = await poster.post({ url, reach: 'public', headers: {}, body: '' });
    expect({ failure, isOnTime: durationMs >= SHORT_MS - 5 }).toEqual({ failure: 'timeout', isOnTime: true });
  });
});

describe('connections', () => {
  test('are kept for later messages until the poster is closed', async () => {
    const { port, connections } = await listenHttp((_, response) => response.end());
    const [one, other] = [newPoster(), newPoster()];
    const message: Post = { url: `http://127.0.0.1:${port}/`, reach: 'own', headers: {}, body: '' };
    for (const poster of [one, one, one, other, one]) {
      expect(await poster.post(message)).toMatchObject({ status: 200 });
    }
    expect(connections()).toBe(2);
    one.close();
    expect(await one.post(message)).toMatchObject({ status: 200 });
    expect(await one.post(message)).toMatchObject({ status: 200 });
    expect(connections()).toBe(4);
  });

  test('in use when the poster is closed bring their responses', async () => {
    const requested = Promise.withResolvers<() => void>();
    const closed = Promise.withResolvers<void>();
    const { port } = await listenHttp((request, response) => {
      request.socket.on('close', () => closed.resolve());
      requested.resolve(() => response.end('late'));
    });
    const poster = newPoster();
    const posted = poster.post({ url: `http://127.0.0.1:${port}/`, reach: 'own', headers: {}, body: '' });
    const answer = await requested.promise;
    poster.close();
    answer();
    expect(await posted).toMatchObject({ status: 200, bodyStart: 'late' });
    await closed.promise;
  });

  test('that the receiver closed meanwhile are reopened, and the message arrives once', async () => {
    const bodies: string[] = [];
    let served = 0;
    const { port, connections } = await listenTcp((socket) => {
      let isFirst = true;
      socket.on('data', (bytes) => {
        if (!isFirst) {
          socket.resetAndDestroy();
          return;
        }
        isFirst = false;
        served += 1;
        bodies.push(String(bytes).split('\r\n\r\n')[1] ?? '');
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    const poster = newPoster();
    for (const body of ['one', 'two', 'three']) {
      const message: Post = { url: `http://127.0.0.1:${port}/`, reach: 'own', headers: {}, body };
      expect(await poster.post(message)).toMatchObject({ status: 200, failure: null });
    }
    expect({ bodies, served, connections: connections() }).toEqual({
      bodies: ['one', 'two', 'three'],
      served: 3,
      connections: 3,
    });
  });

  test('go to the next address if one neither accepts nor refuses them', async () => {
    const port = await listenDeaf();
    const { connections } = await listenHttp((_, response) => response.end(), '::1', port);
    vi.useFakeTimers(TIMERS);
    const posted = postTo(port, {}, { url: `http://localhost:${port}/` });
    await expect.poll(() => vi.getTimerCount()).toBe(2);
    vi.advanceTimersByTime(4_999);
    expect(connections()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(await posted).toMatchObject({ status: 200, failure: null });
    expect(connections()).toBe(1);
  });

  test('go to the next address where one cannot be reached', async () => {
    const { port, connections } = await listenHttp((_, response) => response.end(), '::1');
    const url = `http://shop.localhost:${port}/`;
    expect(await postTo(port, {}, { url })).toMatchObject({ status: 200, failure: null });
    expect(connections()).toBe(1);
  });
});

describe('TLS', () => {
  let ca: string;
  let certificates: Awaited<ReturnType<typeof newCertificates>>['certificates'];

  beforeAll(async () => {
    ({ ca, certificates } = await newCertificates(['DNS:shop.example', 'DNS:other.example', 'IP:8.8.8.8']));
  });

  /** A server with one of the certificates, and a connect function that leads to it instead of public addresses. */
  async function startSecurely(nth: number) {
    const names: unknown[] = [];
    const server = createSecureServer({ ...certificates[nth] }, (request, response) => {
      names.push([(request.socket as TLSSocket).servername, request.headers.host]);
      response.end('secure');
    });
    server.on('tlsClientError', () => undefined);
    const { port, connections } = await listen(server);
    const requested: unknown[] = [];
    return {
      port,
      names,
      requested,
      connections,
      connect: (options: object) => {
        requested.push((options as { host: string }).host);
        return connect({
          ...(options as ConnectionOptions),
          socket: connectPlainly({ host: '127.0.0.1', port }),
        });
      },
    };
  }

  const resolve = async () => ['8.8.8.8', '2606:4700::1111'];
  const post = (poster: Poster, url: string) => poster.post({ url, reach: 'public', headers: {}, body: '' });

  test('is made with the address that was checked, and verified for the name', async () => {
    const { port, names, requested, connect: connectTo, connections } = await startSecurely(0);
    const poster = newPoster({ ca, resolve, connect: connectTo });
    const url = `https://shop.example:${port}/`;
    expect(await post(poster, url)).toMatchObject({ status: 200, bodyStart: 'secure', failure: null });
    expect(await post(poster, url)).toMatchObject({ status: 200, bodyStart: 'secure', failure: null });
    expect(names).toEqual([
      ['shop.example', `shop.example:${port}`],
      ['shop.example', `shop.example:${port}`],
    ]);
    expect({ requested, connections: connections() }).toEqual({ requested: ['8.8.8.8'], connections: 1 });
  });

  test('is verified for the address where the URL has one', async () => {
    const right = await startSecurely(2);
    const poster = newPoster({ ca, connect: right.connect });
    expect(await post(poster, `https://8.8.8.8:${right.port}/`)).toMatchObject({ status: 200 });
    expect(await post(poster, `https://8.8.4.4:${right.port}/`)).toMatchObject({ failure: 'tls_failed' });
  });

  test('is refused with a certificate for another name', async () => {
    const { port, names, connect: connectTo } = await startSecurely(1);
    const poster = newPoster({ ca, resolve, connect: connectTo });
    const answer = await post(poster, `https://shop.example:${port}/`);
    expect(answer).toMatchObject({ ...NOTHING, failure: 'tls_failed' });
    expect(names).toEqual([]);
  });

  test('is refused with a certificate of an unknown signer, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { port, names, connect: connectTo } = await startSecurely(0);
    const answer = await post(newPoster({ resolve, connect: connectTo }), `https://shop.example:${port}/`);
    expect(answer).toMatchObject({ ...NOTHING, failure: 'tls_failed' });
    expect(names).toEqual([]);
  });

  test('fails with a server that has none, and is cut off if unfinished', { tags: 'slow' }, async () => {
    const plain = await listenHttp((_, response) => response.end());
    const silent = await listenTcp(() => undefined);
    for (const [{ port }, failure] of [
      [plain, 'tls_failed'],
      [silent, 'timeout'],
    ] as const) {
      const url = `https://127.0.0.1:${port}/`;
      const answer = await postTo(port, { timeoutMs: SHORT_MS }, { url, reach: 'own' });
      expect(answer).toMatchObject({ ...NOTHING, failure });
    }
  });

  test('ends when the receiver ends it, which counts as a lost connection', async () => {
    const server = createSecureServer({ ...certificates[0] }, (request) => request.socket.destroy());
    const { port } = await listen(server);
    const connectTo = (options: object) =>
      connect({ ...(options as ConnectionOptions), socket: connectPlainly({ host: '127.0.0.1', port }) });
    const poster = newPoster({ ca, resolve, connect: connectTo });
    const answer = await post(poster, `https://shop.example:${port}/`);
    expect(answer).toMatchObject({ ...NOTHING, failure: 'connection_lost' });
  });

  test('connections are not shared by names at one address, nor by addresses of one name', async () => {
    const { port, requested, connect: connectTo } = await startSecurely(0);
    const addresses = [['8.8.8.8'], ['8.8.8.8'], ['8.8.4.4'], ['8.8.8.8']];
    const poster = newPoster({ ca, resolve: async () => addresses.shift() ?? [], connect: connectTo });
    for (let nth = 0; nth < 3; nth += 1) {
      expect(await post(poster, `https://shop.example:${port}/`)).toMatchObject({ status: 200 });
    }
    expect(await post(poster, `https://other.example:${port}/`)).toMatchObject({ failure: 'tls_failed' });
    expect(requested).toEqual(['8.8.8.8', '8.8.4.4', '8.8.8.8']);
  });
});
