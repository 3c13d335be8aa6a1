import { once } from 'node:events';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type LocalFunction, loadFunction } from '../../../infra/local/function.ts';
import { startServer, toEvent } from '../../../infra/local/server.ts';
import { functionNameOf } from '../../../shared/contract/operation.ts';
import { allOperations } from '../../../shared/contract/operations.ts';
import { matchRoute } from '../../../shared/contract/routes.ts';
import './merchant.ts';

/**
 * A service in the process of the test: its functions can be called directly, and sinks reach it over HTTP.
 * @param timeoutSeconds the time-out of functions that are called directly, where a test holds them for long
 */
export async function startInProcess(timeoutSeconds?: number) {
  const {
    servers: [server],
    port,
  } = await startServer(0, Promise.resolve());
  const baseUrl = `http://127.0.0.1:${port}`;
  // It responds once all functions are loaded. A file without a test to run would end before, and what it left half
  // loaded would fail in the next file of its process.
  await fetch(baseUrl);
  return {
    baseUrl,
    /** Calls the function that a request is for, within the asynchronous context of the caller. */
    send: (address: string, init: RequestInit) => sendInProcess(address, init, timeoutSeconds),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function sendInProcess(
  address: string,
  { method = 'GET', headers = {}, body }: RequestInit,
  timeoutSeconds: number | undefined,
) {
  const url = new URL(address);
  const match = matchRoute(allOperations, method, url.pathname);
  if (match === null) {
    throw new Error(`no operation answers ${method} ${url.pathname}`);
  }
  const run: LocalFunction<APIGatewayProxyEvent, APIGatewayProxyResult> = await loadFunction(
    functionNameOf(match.row),
    timeoutSeconds ?? match.row.timeoutSeconds,
  );
  const headersDistinct = Object.fromEntries(
    Object.entries(headers as Record<string, string>).map(([name, value]) => [name.toLowerCase(), [value]]),
  );
  const event = toEvent({ method, headersDistinct }, url, match, Buffer.from(String(body ?? '')));
  const result = await run(event);
  const answered = Object.entries(result.headers ?? {}).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const bytes = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
  return new Response(bytes, { status: result.statusCode, headers: answered });
}
