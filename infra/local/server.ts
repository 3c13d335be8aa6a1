import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { BASE_URL_VARIABLE } from '../../shared/contract/base-url.ts';
import { functionNameOf, type Operation } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { matchRoute, type RouteMatch, UNKNOWN_ROUTE_FUNCTION } from '../../shared/contract/routes.ts';
import { type LocalFunction, loadFunction } from './function.ts';

type ApiFunction = LocalFunction<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** More of a body is not read: the functions refuse one that is far smaller. */
const BODY_READ_MAX_BYTES = 1_024 * 1_024;

/**
 * Answers HTTP with the functions of the service, as API Gateway does: the same routes, path parameters and
 * proxy events (REST API, payload version 1).
 * @param port 0 takes a free one
 * @param ready the functions are loaded, and requests answered, once the store is there
 * @throws Error with code EADDRINUSE where the port is taken
 */
export async function startServer(
  port: number,
  ready: Promise<unknown>,
): Promise<{ server: Server; port: number }> {
  const functions = ready.then(loadFunctions);
  const server = createServer((request, response) => {
    answer(functions, originOf(server), request, response).catch((error: unknown) => {
      // A function that throws is a defect: API Gateway answers 502 without a word.
      console.error(error);
      response.writeHead(502).end();
    });
  });
  // The caller awaits `ready` too, and says what is wrong with it.
  functions.catch(() => undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: Number(new URL(originOf(server)).port) };
}

/** The address that it listens on. */
function originOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address}:${port}`;
}

async function loadFunctions(): Promise<ReadonlyMap<string, ApiFunction>> {
  const rows = allOperations.map((row) => ({
    name: functionNameOf(row),
    timeoutSeconds: row.timeoutSeconds,
  }));
  const loaded = [...rows, { name: UNKNOWN_ROUTE_FUNCTION, timeoutSeconds: undefined }].map(
    async ({ name, timeoutSeconds }) =>
      [name, await loadFunction<APIGatewayProxyEvent, APIGatewayProxyResult>(name, timeoutSeconds)] as const,
  );
  return new Map(await Promise.all(loaded));
}

async function answer(
  functions: Promise<ReadonlyMap<string, ApiFunction>>,
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = readUrl(origin, request.url ?? '/');
  const match = matchRoute(allOperations, request.method ?? 'GET', url.pathname);
  const name = match === null ? UNKNOWN_ROUTE_FUNCTION : functionNameOf(match.row);
  const run = (await functions).get(name);
  if (run === undefined) {
    throw new Error(`${name} is not loaded`);
  }
  const result = await run(toEvent(request, url, match, await readBody(request)));
  response.writeHead(result.statusCode, { ...result.headers } as Record<string, string>);
  response.end(result.body);
}

/** Joined, not resolved: `//x` is a path here, and no host. What is no path (`*`, a whole URL) is nobody's address. */
function readUrl(origin: string, target: string): URL {
  return new URL(`${origin}${target.startsWith('/') ? target : '/'}`);
}

/** A segment that cannot be decoded names nothing: it goes on as it is, and is not found. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * A request as API Gateway hands it to a function.
 * @param url below the address on which the service listens: the address in answers, where no other one is configured
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
  const event = {
    resource: match?.row.path ?? '/{proxy+}',
    path: url.pathname,
    httpMethod: request.method ?? 'GET',
    headers: lastOfEach(headers),
    multiValueHeaders: headers,
    ...(Object.keys(query).length === 0
      ? { queryStringParameters: null, multiValueQueryStringParameters: null }
      : { queryStringParameters: lastOfEach(query), multiValueQueryStringParameters: query }),
    pathParameters: params.length === 0 ? null : Object.fromEntries(params),
    stageVariables: { [BASE_URL_VARIABLE]: url.origin },
    // Bytes, as the binary media types of infra/constructs/payment-api.ts have it.
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
  return event as unknown as APIGatewayProxyEvent;
}

/** API Gateway gives one value of what was sent more than once, besides all of them. */
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
