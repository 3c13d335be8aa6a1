import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { loadWorker } from '../../infra/local/function.ts';
import { startServer } from '../../infra/local/server.ts';
import { JOB_RUNNER_TIMEOUT_SECONDS } from '../../shared/contract/bus.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { applyProviderEvent } from './provider-event.ts';
import '../support/tools/die-with-parent.ts';

/*
 * A service for the bench, in a process of its own: the API as the local host has it, and beside it, at a second address,
 * what no request reaches. Nothing runs by itself, so every call to the store comes from a call to the service.
 */

/** Where a service for the bench answers. */
export interface Addresses {
  readonly api: string;
  readonly inside: string;
}

const realNow = Date.now;
let movedMs = 0;
Date.now = () => realNow() + movedMs;

/** What can be called inside, by path. */
const INSIDE: Readonly<Record<string, (request: never) => Promise<unknown>>> = {
  '/workers/clock-tick': async (event: object) => (await loadWorker('clock-tick'))(event),
  '/workers/job-runner': async (event: object) =>
    (await loadWorker('job-runner', JOB_RUNNER_TIMEOUT_SECONDS))(event),
  '/workers/live-job-runner': async (event: object) =>
    (await loadWorker('live-job-runner', JOB_RUNNER_TIMEOUT_SECONDS))(event),
  '/workers/deliverer': async (event: object) =>
    (await loadWorker('deliverer', JOB_RUNNER_TIMEOUT_SECONDS))(event),
  '/provider-event': applyProviderEvent,
  '/key': async ({ merchant }: { merchant: string }) => {
    const { issueApiKey } = await import('../../shared/store/worlds/api-key.ts');
    const order = { mode: 'test', permissions: PRESETS.owner, version: NEWEST_VERSION, label: null } as const;
    return (await issueApiKey({ merchant, ...order }, 'bench', Date.now())).secret;
  },
  /** Moves the clock of this process, which is real time for everything in it. */
  '/clock': async ({ ms }: { ms: number }) => {
    movedMs += ms;
  },
  '/cpu': async () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

const { port } = await startServer(0, Promise.resolve());
const inside = createServer(async (request, response) => {
  try {
    const answer = await INSIDE[String(request.url)]?.((await json(request)) as never);
    response.end(JSON.stringify(answer ?? null));
  } catch (error) {
    response.writeHead(500).end(String((error as Error).stack));
  }
});
inside.listen(0, '127.0.0.1');
await once(inside, 'listening');
const addressOf = (listening: number) => `http://127.0.0.1:${listening}`;
process.send?.({
  api: addressOf(port),
  inside: addressOf((inside.address() as AddressInfo).port),
} satisfies Addresses);
