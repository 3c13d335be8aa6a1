import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { startHost } from '../support/world/host.ts';
import { requestHeaders, send } from './load-window.ts';

/** Where the merchant's own server is, in this process. */
const SHOP_PATH = '/shop';
/** A connection that is not used is closed before the host closes it. */
const IDLE_MS = 30_000;

/** A delivery, as it came to its receiver. */
export interface WebhookArrival {
  readonly type: string;
  readonly atMs: number;
}

/** The local host, as `npm start` starts it, whose deliveries are seen on their way to its sinks. */
export interface LiveHost {
  readonly baseUrl: string;
  /** What came so far, by the payment that it is about. */
  readonly arrivals: ReadonlyMap<string, readonly WebhookArrival[]>;
  /** A key of a merchant. */
  issueKey(merchant: string): Promise<string>;
  /** A merchant with one sink. @returns its key */
  openMerchant(merchant: string): Promise<string>;
  /** A merchant with an endpoint of its own, which takes everything. @returns its key */
  openShop(merchant: string): Promise<string>;
  /** Sends a request. @throws Error where it is refused */
  ask<Answer>(secret: string, method: string, path: string, body?: object): Promise<Answer>;
  /** What node and the engine hold in memory, and what lies on disk, in bytes. */
  sizes(): { readonly host: number; readonly engine: number; readonly disk: number };
  /** The time that node and the engine have taken of processors so far, in milliseconds. */
  processorMs(): { readonly host: number; readonly engine: number };
  stop(): Promise<void>;
}

export async function startLiveHost(): Promise<LiveHost> {
  const arrivals = new Map<string, WebhookArrival[]>();
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  let baseUrl = '';
  const between = createServer(async (request, response) => {
    const atMs = Date.now();
    const body = await buffer(request);
    const { type, data } = JSON.parse(body.toString()) as { type: string; data: { object: { id: string } } };
    const { id } = data.object;
    arrivals.set(id, [...(arrivals.get(id) ?? []), { type, atMs }]);
    if (request.url === SHOP_PATH) {
      response.writeHead(204).end();
      return;
    }
    const { 'content-length': _, 'transfer-encoding': __, host: ___, ...headers } = request.headers;
    const answer = await send(agent, 'POST', baseUrl + request.url, headers, body);
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.text);
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  const receiver = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  // The base URL of the service, and so of its sinks.
  const host = await startHost({ isOnDisk: true, env: { [VARIABLES.baseUrl]: receiver } });
  baseUrl = host.baseUrl;
  Object.assign(process.env, {
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: host.dynamodbEndpoint,
    [VARIABLES.tableName]: host.tableName,
  });
  const ask = async <Answer>(secret: string, method: string, where: string, body?: object) => {
    const text = body && JSON.stringify(body);
    const answer = await send(agent, method, `${baseUrl}/api/v1${where}`, requestHeaders(secret), text);
    if (answer.status !== 200 && answer.status !== 201) {
      throw new Error(`${method} ${where} answered ${answer.status}: ${answer.text}`);
    }
    return JSON.parse(answer.text) as Answer;
  };
  const issueKey = async (merchant: string) => {
    const { issueApiKey } = await import('../../shared/store/worlds/api-key.ts');
    const order = { mode: 'test', permissions: PRESETS.owner, version: NEWEST_VERSION, label: null } as const;
    return (await issueApiKey({ merchant, ...order }, 'bench', Date.now())).secret;
  };
  return {
    baseUrl,
    arrivals,
    ask,
    issueKey,
    openMerchant: async (merchant) => {
      const secret = await issueKey(merchant);
      await ask(secret, 'POST', '/test/webhooks/sinks', {});
      return secret;
    },
    openShop: async (merchant) => {
      const secret = await issueKey(merchant);
      await ask(secret, 'POST', '/webhook-endpoints', { url: receiver + SHOP_PATH });
      return secret;
    },
    sizes: () => {
      const pid = Number(host.process.pid);
      const files = readdirSync(host.dir).map((name) => statSync(path.join(host.dir, name)).size);
      return {
        host: residentBytes(pid),
        engine: descendantsOf(pid).reduce((sum, one) => sum + residentBytes(one), 0),
        disk: files.reduce((sum, size) => sum + size, 0),
      };
    },
    processorMs: () => {
      const pid = Number(host.process.pid);
      return {
        host: processorMsOf(pid),
        engine: descendantsOf(pid).reduce((sum, one) => sum + processorMsOf(one), 0),
      };
    },
    stop: async () => {
      await host.stop();
      agent.destroy();
      between.closeAllConnections();
      between.close();
    },
  };
}

/** What a process and those that it has started hold in memory. */
export function familyBytes(pid: number): number {
  return [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + residentBytes(one), 0);
}

/** The processes that a process has started, and those that these have. */
function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.map(Number).flatMap((child) => [child, ...descendantsOf(child)]);
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) * 1_024;
}

/** What the kernel counts in hundredths of a second: fields 14 and 15, after the name in brackets. */
function processorMsOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return (Number(user) + Number(system)) * 10;
}
