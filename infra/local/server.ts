import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { functionNameOf, type Operation } from '../../shared/contract/operation.ts';
import { operations, servedOperations } from '../../shared/contract/operations.ts';
import { matchRoute, type RouteMatch, UNKNOWN_ROUTE_FUNCTION } from '../../shared/contract/routes.ts';
import { newId } from '../../shared/domain/id.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import type { PlainCode } from '../../shared/errors/catalogue.ts';
import { Problem } from '../../shared/errors/problem.ts';
import { configuredBaseUrl } from '../../shared/http/base-url.ts';
import { problemResult } from '../../shared/http/problem-result.ts';
import { type LocalFunction, loadFunction } from './function.ts';
import { checkEndpointOfSender, checkSender, LOOPBACK_ALONE, type Reachability } from './reachability.ts';
import type { HandledRequest } from './request-line.ts';

type ApiFunction = LocalFunction<APIGatewayProxyEvent, APIGatewayProxyResult>;

const LOOPBACK = '127.0.0.1';

/** Statuses without a body and Content-Length. A sink can be configured to respond with them. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** Longer than clients keep an idle connection: one that closes during a request looks like a failure. */
const KEEP_ALIVE_MS = 65_000;

/** Bodies are read up to this size. The functions refuse far smaller ones as too large. */
const BODY_READ_MAX_BYTES = 1_024 * 1_024;

/**
 * Serves HTTP with the functions of the service, as API Gateway does: the same routes, path parameters and
 * proxy events (REST API, payload version 1).
 * @param port 0 chooses a free one
 * @param ready resolves when the store is available: then requests are served, each function loaded by the first
 * @param options of Node's server, such as its timeouts
 * @param onHandled called with every request to which a function has responded
 * @param reachability the addresses that it listens on, and the names by which it may be called
 * @returns a server for each address
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function startServer(
  port: number,
  ready: Promise<unknown>,
  options: ServerOptions = {},
  onHandled: (handled: HandledRequest) => void = () => undefined,
  reachability: Reachability = LOOPBACK_ALONE,
): Promise<{ servers: readonly [Server, ...Server[]]; port: number }> {
  const functionOf = functionsOnceLoaded(ready);
  let origin = '';
  const respondTo = (problem: Problem) => {
    const requestId = newId('req', Date.now());
    return problemResult(problem, { requestId, baseUrl: configuredBaseUrl(origin) });
  };
  const refusalOf = (code: PlainCode) => respondTo(new Problem(code));
  // A missing Host is refused in this server's own code, since Node would send its status without a Problem.
  const newServer = () =>
    createServer(
      { keepAliveTimeout: KEEP_ALIVE_MS, ...options, requireHostHeader: false },
      (request, response) => {
        handle(functionOf, { origin, reachability }, request, response, onHandled).catch((error: unknown) => {
          if (error instanceof Problem) {
            request.resume();
            write(response, respondTo(error));
            return;
          }
          if (!request.complete) {
            // The client is gone.
            return;
          }
          // A function that throws is a defect: API Gateway responds with 502 without a Problem.
          console.error(error);
          response.writeHead(502).end();
        });
      },
    );
  // Webhook endpoints on this machine, for programs of this machine: see `checkEndpointOfSender`.
  process.env[VARIABLES.loopback] ??= 'allowed';
  const listen = async (address: string, at: number) => {
    const server = newServer();
    respondToRefused(server, refusalOf);
    server.listen(at, address);
    await once(server, 'listening');
    return server;
  };
  const [first = LOOPBACK, ...others] = reachability.addresses;
  const server = await listen(first, port);
  const { port: taken } = server.address() as AddressInfo;
  origin = `http://${LOOPBACK}:${taken}`;
  const more = await Promise.all(others.map((address) => listen(address, taken)));
  return { servers: [server, ...more], port: taken };
}

/** Problems for requests that Node's server refuses, by Node's error code; all others are `malformed_request`. */
const REFUSALS: Readonly<Record<string, PlainCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Sends Problems for the requests that Node's server refuses. */
function respondToRefused(server: Server, refusalOf: (code: PlainCode) => APIGatewayProxyResult): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => responses.set(request.socket, response));
  server.on('checkExpectation', (_request, response) => write(response, refusalOf('expectation_failed')));
  server.on('connect', (_request, socket) => end(socket, refusalOf('malformed_request')));
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    const current = responses.get(socket);
    // A second response must not be written into one that has started.
    if (!socket.writable || (current?.headersSent === true && !current.writableFinished)) {
      socket.destroy();
      return;
    }
    end(socket, refusalOf(REFUSALS[code] ?? 'malformed_request'));
  });
}

/** Writes a response directly to the socket, since Node made no response object, and closes it. */
function end(socket: Duplex, { statusCode, headers = {}, body }: APIGatewayProxyResult): void {
  const all = { ...headers, Connection: 'close', 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const text = [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`, ...lines, '', body].join('\r\n');
  socket.end(text, () => socket.destroy());
}

/** RFC 9112: an HTTP/1.1 request must have exactly one Host header, though this service does not use its value. */
function hasOneHost({ headersDistinct, httpVersion }: IncomingMessage): boolean {
  const { length } = headersDistinct.host ?? [];
  return length === 1 || (length === 0 && httpVersion === '1.0');
}

type FunctionOf = (name: string, timeoutSeconds?: number) => Promise<ApiFunction>;

/** Loads each function when it is needed first: few of them are, in most services. */
function functionsOnceLoaded(ready: Promise<unknown>): FunctionOf {
  const loaded = new Map<string, Promise<ApiFunction>>();
  return (name, timeoutSeconds) => {
    const load = () => loadFunction<APIGatewayProxyEvent, APIGatewayProxyResult>(name, timeoutSeconds);
    const loading = loaded.get(name) ?? ready.then(load);
    loaded.set(name, loading);
    return loading;
  };
}

/** What names the address of a server to which events are sent. */
const ENDPOINT_OPERATIONS: ReadonlySet<string> = new Set([
  operations.createWebhookEndpoint.id,
  operations.updateWebhookEndpoint.id,
]);

/** @throws Problem where it is refused before a function gets it */
async function handle(
  functionOf: FunctionOf,
  { origin, reachability }: { readonly origin: string; readonly reachability: Reachability },
  request: IncomingMessage,
  response: ServerResponse,
  onHandled: (handled: HandledRequest) => void,
): Promise<void> {
  const [at, startedAtMs] = [new Date(), performance.now()];
  if (!hasOneHost(request) || !isPath(request.url ?? '/')) {
    throw new Problem('malformed_request');
  }
  checkSender(request, reachability);
  const url = readUrl(origin, request.url ?? '/');
  const method = request.method ?? 'GET';
  const match = matchRoute(servedOperations(), method, url.pathname);
  const run = await (match === null
    ? functionOf(UNKNOWN_ROUTE_FUNCTION)
    : functionOf(functionNameOf(match.row), match.row.timeoutSeconds));
  const body = await readBody(request);
  if (match !== null && ENDPOINT_OPERATIONS.has(match.row.id)) {
    checkEndpointOfSender(request, body);
  }
  const result = await run(toEvent(request, url, match, body));
  write(response, result);
  onHandled({ at, method, url, match, result, durationMs: performance.now() - startedAtMs });
}

/** For HEAD, Node omits the body and keeps its Content-Length. */
function write(response: ServerResponse, result: APIGatewayProxyResult): void {
  const { statusCode, body, isBase64Encoded } = result;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const headers = result.headers as OutgoingHttpHeaders;
  response.writeHead(
    statusCode,
    BODILESS.has(statusCode) ? headers : { ...headers, 'Content-Length': bytes.length },
  );
  response.end(bytes);
}

/**
 * Whether a target is a path that means itself. A URL parser would resolve dot segments (`..`, `%2e%2e`), take a backslash
 * for a slash and drop a fragment: another operation would run than the one that a proxy before it saw.
 */
function isPath(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  const hasDots = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  return path.startsWith('/') && !hasDots && !/[\\#]/.test(target);
}

/** Joined, not resolved, so that `//x` is a path and not a host. */
function readUrl(origin: string, target: string): URL {
  return new URL(`${origin}${target}`);
}

/** A segment that cannot be decoded stays unchanged, and then matches nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * A request as API Gateway passes it to a function.
 * @param url its origin is the base URL in responses, if none is configured
 * @internal
 */
export function toEvent(
  request: Pick<IncomingMessage, 'method' | 'headersDistinct'> & {
    readonly socket?: { readonly remoteAddress?: string | undefined };
  },
  url: URL,
  match: RouteMatch<Operation> | null,
  body: Buffer,
): APIGatewayProxyEvent {
  const headers = request.headersDistinct;
  const query = Object.fromEntries(
    [...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)]),
  );
  const params = Object.entries(match?.params ?? {}).map(([name, segment]) => [name, decode(segment)]);
  const resource: string = match?.row.path ?? '/{proxy+}';
  const hasQuery = url.searchParams.size > 0;
  const event = {
    resource,
    path: url.pathname,
    httpMethod: request.method ?? 'GET',
    headers: lastOfEach(headers),
    multiValueHeaders: headers,
    queryStringParameters: hasQuery ? lastOfEach(query) : null,
    multiValueQueryStringParameters: hasQuery ? query : null,
    pathParameters: params.length === 0 ? null : Object.fromEntries(params),
    stageVariables: Object.fromEntries([[VARIABLES.baseUrl, url.origin]]),
    // Base64, because infra/aws/constructs/payment-api.ts declares all media types binary.
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
    requestContext: {
      path: url.pathname,
      stage: 'local',
      requestId: randomUUID(),
      httpMethod: request.method ?? 'GET',
      identity: { sourceIp: request.socket?.remoteAddress ?? '127.0.0.1' },
    },
  };
  return event as APIGatewayProxyEvent;
}

/** API Gateway passes the last value of a repeated header or parameter here, besides the list of all. */
function lastOfEach(values: Readonly<Record<string, readonly string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all?.at(-1) ?? '']));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes <= BODY_READ_MAX_BYTES || chunks.length === 0) {
      chunks.push(chunk as Buffer);
    }
  }
  return Buffer.concat(chunks);
}
