import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '../../../infra/local/server.ts';
import { type ErrorCode, entryOf } from '../../../shared/errors/catalogue.ts';
import '../../support/world/merchant.ts';

// A line for each request would say nothing of these.
process.env.POWERTOOLS_LOG_LEVEL = 'WARN';

const HOST = 'Host: localhost';
const CLOSE = 'Connection: close';
const WAITS_MS = 50;

async function listen(options?: Parameters<typeof startServer>[2]) {
  const {
    servers: [server],
    port,
  } = await startServer(0, Promise.resolve(), options);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { server, port, dial: () => connect(port, '127.0.0.1') };
}

/** Sends these bytes and no others, and reads until the other side hangs up. */
async function exchange(dial: () => Socket, ...lines: readonly string[]) {
  const socket = dial();
  socket.write(lines.join('\r\n'));
  return parse(await text(socket));
}

function parse(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  const [first = '', ...rest] = head.split('\r\n');
  const headers = new Headers(rest.map((line): [string, string] => line.split(': ', 2) as [string, string]));
  return { status: Number(first.split(' ')[1]), headers, body };
}

type Answered = ReturnType<typeof parse>;

function expectProblem({ status, headers, body }: Answered, code: ErrorCode, port: number): void {
  const { title, status: expected } = entryOf(code);
  expect(status, body).toBe(expected);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  expect(JSON.parse(body)).toMatchObject({
    code,
    status: expected,
    title,
    type: `http://127.0.0.1:${port}/errors/${code}`,
    instance: `urn:request:${headers.get('x-request-id')}`,
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('malformed HTTP gets a problem response', () => {
  const GET = 'GET /api/v1/payments HTTP/1.1';
  const POST = 'POST /api/v1/payments HTTP/1.1';
  test.each<readonly [what: string, code: ErrorCode, lines: readonly string[]]>([
    ['no HTTP', 'malformed_request', ['hello', '', '']],
    ['TLS', 'malformed_request', ['\x16\x03\x01\x02\x00\x01\x00', '', '']],
    ['HTTP/2', 'malformed_request', ['PRI * HTTP/2.0', '', 'SM', '', '']],
    ['a header without a name', 'malformed_request', [GET, HOST, ': x', '', '']],
    ['a space before the colon', 'malformed_request', [GET, HOST, 'Authorization : x', '', '']],
    ['a header over two lines', 'malformed_request', [GET, HOST, 'A: b', ' c', '', '']],
    ['two lengths', 'malformed_request', [POST, HOST, 'Content-Length: 2', 'Content-Length: 3', '', '{}']],
    [
      'a length and chunks',
      'malformed_request',
      [POST, HOST, 'Content-Length: 2', 'Transfer-Encoding: chunked', '', '{}'],
    ],
    ['a chunk of no length', 'malformed_request', [POST, HOST, 'Transfer-Encoding: chunked', '', 'zz', '{}']],
    ['no Host', 'malformed_request', [GET, CLOSE, '', '']],
    ['two Hosts', 'malformed_request', [GET, HOST, 'Host: evil.example', CLOSE, '', '']],
    ['a tunnel', 'malformed_request', ['CONNECT evil.example:443 HTTP/1.1', HOST, '', '']],
    ['20 KB of headers', 'headers_too_large', [GET, HOST, `A: ${'a'.repeat(20 * 1_024)}`, '', '']],
    ['a long address', 'headers_too_large', [`GET /${'a'.repeat(20 * 1_024)} HTTP/1.1`, HOST, '', '']],
    ['an unknown expectation', 'expectation_failed', [GET, HOST, 'Expect: wonders', CLOSE, '', '']],
  ])('%s: %s', async (_what, code, lines) => {
    const { port, dial } = await listen();
    expectProblem(await exchange(dial, ...lines), code, port);
  });

  test.each([
    ['headers', [GET, HOST]],
    ['a body', [POST, HOST, 'Content-Length: 9', '', '{']],
  ])('%s without an end: request_timeout', async (_what, lines) => {
    const limits = {
      headersTimeout: WAITS_MS,
      requestTimeout: WAITS_MS,
      connectionsCheckingInterval: WAITS_MS,
    };
    const { port, dial } = await listen(limits);
    expectProblem(await exchange(dial, ...lines), 'request_timeout', port);
  });

  test('a request of HTTP/1.0 needs no Host', async () => {
    const { dial } = await listen();
    expect((await exchange(dial, 'GET /errors/invalid_state HTTP/1.0', '', '')).status).toBe(200);
  });
});

test.each(['evil.example', 'a b', '[', '%zz:99999', '', 'localhost.evil.example', '192.168.7.20'])(
  'a Host of "%s" is refused before anything looks at the request, and is in no response',
  async (host) => {
    const { port, dial } = await listen();
    for (const path of ['/console', '/api/v1/openapi.json', '/errors/invalid_state', '/api/v1/payments']) {
      const answer = await exchange(dial, `GET ${path} HTTP/1.1`, `Host: ${host}`, CLOSE, '', '');
      expectProblem(answer, 'misdirected_request', port);
      expect(answer.body).not.toContain(host === '' ? 'evil' : host);
    }
  },
);

describe('a target means itself, or is refused', () => {
  const REAL = '/errors/invalid_state';
  test.each([
    ['in absolute form', `http://localhost${REAL}`],
    ['in absolute form, of another host', `http://evil.example${REAL}`],
    ['of the whole server', '*'],
    ['without a slash', 'errors/invalid_state'],
    ['with a dot segment', '/errors/./invalid_state'],
    ['with two dots', '/docs/../errors/invalid_state'],
    ['that ends in two dots', '/errors/invalid_state/..'],
    ['with an encoded dot segment', '/docs/%2e%2E/errors/invalid_state'],
    ['with a half-encoded dot segment', '/docs/.%2e/errors/invalid_state'],
    ['with a backslash', '/errors\\invalid_state'],
    ['with a fragment', `${REAL}#x`],
  ])('%s', async (_what, target) => {
    const { port, dial } = await listen();
    const method = target === '*' ? 'OPTIONS' : 'GET';
    const answer = await exchange(dial, `${method} ${target} HTTP/1.1`, HOST, CLOSE, '', '');
    expectProblem(answer, 'malformed_request', port);
  });

  test.each(['//errors/invalid_state', '/errors//invalid_state', '/errors/%2e%2e%2finvalid_state', '/.../x'])(
    '%s is a path that nothing has, and no other page',
    async (target) => {
      const { port, dial } = await listen();
      const answer = await exchange(
        dial,
        `GET ${target} HTTP/1.1`,
        HOST,
        'Accept: application/json',
        CLOSE,
        '',
        '',
      );
      expect([answer.status, JSON.parse(answer.body).type], answer.body).toEqual([
        404,
        `http://127.0.0.1:${port}/errors/route_not_found`,
      ]);
    },
  );
});

test('a client that disconnects within its request causes no error of the service', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  const { server, dial } = await listen();
  const noticed = new Promise<void>((resolve) => {
    server.on('request', (request) => request.once('close', resolve));
  });
  const begun = once(server, 'request');
  const socket = dial();
  socket.write(['POST /api/v1/payments HTTP/1.1', HOST, 'Content-Length: 100', '', '{"amo'].join('\r\n'));
  await begun;
  socket.destroy();
  await noticed;
  // A later request gets its response only after the effects of the disconnect.
  const later = await exchange(dial, 'GET /errors/invalid_state HTTP/1.1', HOST, CLOSE, '', '');
  expect(later.status).toBe(200);
  expect(printed).not.toHaveBeenCalled();
});

test('malformed bytes after a valid request do not affect its response', async () => {
  const { dial } = await listen();
  const socket = dial();
  socket.write(['GET /errors/invalid_state HTTP/1.1', HOST, '', ''].join('\r\n'));
  const [first] = await once(socket, 'data');
  expect(String(first)).toMatch(/^HTTP\/1.1 200 OK/);
  socket.write('hello\r\n\r\n');
  const rest = await text(socket);
  expect(rest).toContain('HTTP/1.1 400 Bad Request');
  expect(JSON.parse(rest.slice(rest.lastIndexOf('\r\n\r\n')))).toMatchObject({ code: 'malformed_request' });
});
