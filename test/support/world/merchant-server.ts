import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedPost {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface MerchantServer {
  readonly url: string;
  readonly port: number;
  /** What came, oldest first. */
  readonly received: readonly ReceivedPost[];
  /** The ids of the events that came. */
  ids(): string[];
  stop(): Promise<void>;
}

export interface MerchantResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type MerchantReply = number | MerchantResponse | null;

export interface MerchantServerOptions {
  /** That of an earlier one, to be there again; by default a free one. */
  readonly port?: number;
  /** The response to the n-th post, from 1: by default 204; null sends none. A 3xx redirects to this server. */
  readonly answer?: (nth: number) => MerchantReply | Promise<MerchantReply>;
}

/** A merchant's server for webhooks. */
export async function startMerchantServer({
  port = 0,
  answer = () => 204,
}: MerchantServerOptions = {}): Promise<MerchantServer> {
  const received: ReceivedPost[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const reply = await answer(received.push({ headers: request.headers, body }));
    if (reply !== null) {
      const {
        status,
        headers,
        body: content,
      }: MerchantResponse = typeof reply === 'number' ? { status: reply } : reply;
      const elsewhere = status >= 300 && status < 400 && { Location: '/elsewhere' };
      response.writeHead(status, { ...elsewhere, ...headers }).end(content);
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}/hook`,
    port: bound,
    received,
    ids: () => received.map(({ headers }) => String(headers['webhook-id'])),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
