import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { type LiveHost, startLiveHost } from './live-host.ts';
import { type Beside, fill, measureLongWork, ORDER, openWorld, type World } from './long-work.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';
import { startOnLeash } from './start-on-leash.ts';

/*
 * The local host as its user feels it: how soon it answers, what it holds in memory, how long a move of the clock takes,
 * and what others feel of a long job or of many worlds.
 */

const STARTS = 5;
const REST_MS = 10 * SECOND_MS;
const CREATES = 5_000;
const EXPIRIES = [1_000, 10_000];
const MOVES_OF_A_THOUSAND = 3;
const HOUR_SECONDS = 3_600;
const PROBE_PAUSE_MS = 20;
const WORLDS = 64;
const WORLDS_MS = 60 * SECOND_MS;
const CREATES_PER_WORLD_MS = SECOND_MS / 2;
const WEBHOOKS_WITHIN_MS = 30 * SECOND_MS;
const MEGABYTE = 1_024 ** 2;

export async function measure(): Promise<Section> {
  const firstAnswerMs = await timeStarts();
  const host = await startLiveHost();
  try {
    const owner = await host.issueKey('owner');
    const rest = await restingMb(host);
    await fill(host, await host.issueKey('busy'), CREATES);
    const after = await restingMb(host);
    const many = await createInManyWorlds(host, owner);
    const jobs = await measureLongWork(host, owner);
    const moves = await moveClocks(host, owner);
    const [thousand, most] = [moves[0], moves.at(-1)];
    return {
      lines: [
        `From \`node infra/local/start.ts\` to its first response with 200: ${firstAnswerMs.toFixed(0)} ms (median of ${STARTS}). Host and engine at rest: ${rest.toFixed(0)} MB; at rest after ${CREATES.toLocaleString('en')} payments were created: ${after.toFixed(0)} MB.`,
        '',
        '| A move of the clock over | ms | Processor each, ms | Left |',
        '|---|---:|---:|---:|',
        ...moves.map(
          ({ expiries, ms, processorMs, left }) =>
            `| ${expiries.toLocaleString('en')} expiries | ${ms.toFixed(0)} | ${processorMs.toFixed(2)} | ${left} |`,
        ),
        '',
        "| What another merchant's creations feel of | It takes, ms | p97 before, ms | p97 meanwhile, ms |",
        '|---|---:|---:|---:|',
        ...Object.values(jobs).map(
          ({ what, ms, quietP97, besideP97 }) =>
            `| ${what} | ${[ms, quietP97, besideP97].map((value) => value.toFixed(0)).join(' | ')} |`,
        ),
        '',
        `${WORLDS} worlds, each of which creates a payment twice a second for a minute: ${many.created} created, ${many.refused} refused, p99 ${many.p99.toFixed(0)} ms, webhooks after ${many.webhookP99.toFixed(0)} ms (p99).`,
      ],
      figures: {
        'local.first_answer_ms': firstAnswerMs,
        'local.rest_mb': rest,
        'local.rest_after_5000_creates_mb': after,
        'local.move_1000_ms': Number(thousand?.ms),
        'local.move_1000_processor_ms': Number(thousand?.processorMs),
        'local.move_10000_ms': Number(most?.ms),
        'local.p97_beside_fork_to_quiet': toQuiet(jobs.fork),
        'local.p97_beside_move_to_quiet': toQuiet(jobs.move),
        'local.p97_beside_purge_to_quiet': toQuiet(jobs.purge),
        'local.p97_beside_seed_to_quiet': toQuiet(jobs.seed),
        'local.worlds_64_refused': many.refused,
        'local.worlds_64_p99_ms': many.p99,
        'local.worlds_64_webhook_p99_ms': many.webhookP99,
      },
      failures: [],
    };
  } finally {
    await host.stop();
  }
}

function toQuiet({ besideP97, quietP97 }: Beside): number {
  return besideP97 / quietP97;
}

async function timeStarts(): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < STARTS; nth += 1) {
    const { startMs, stop } = await startOnLeash([process.execPath, 'infra/local/start.ts']);
    times.push(startMs);
    await stop();
  }
  return quantile(times, 0.5);
}

async function restingMb(host: LiveHost): Promise<number> {
  await sleep(REST_MS);
  const { host: own, engine } = host.sizes();
  return (own + engine) / MEGABYTE;
}

interface Move {
  readonly expiries: number;
  readonly ms: number;
  /** Of host and engine, for each expiry. */
  readonly processorMs: number;
  readonly left: number;
}

async function moveClocks(host: LiveHost, owner: string): Promise<Move[]> {
  const moves: Move[] = [];
  for (const expiries of EXPIRIES) {
    const times = expiries === EXPIRIES[0] ? MOVES_OF_A_THOUSAND : 1;
    const same: Move[] = [];
    for (let nth = 0; nth < times; nth += 1) {
      const { key } = await openWorld(host, owner);
      await fill(host, key, expiries);
      await sleep(REST_MS / 2);
      const [before, startedAt] = [host.processorMs(), performance.now()];
      const { shifted } = await host.ask<{ shifted: { jobs_remaining: number } }>(
        key,
        'POST',
        '/test/clock/advance',
        { seconds: HOUR_SECONDS },
      );
      const ms = performance.now() - startedAt;
      const now = host.processorMs();
      const processorMs = (now.host - before.host + now.engine - before.engine) / expiries;
      same.push({ expiries, ms, processorMs, left: shifted.jobs_remaining });
    }
    moves.push(same.toSorted((a, b) => a.ms - b.ms)[Math.floor(same.length / 2)] as Move);
  }
  return moves;
}

/** A merchant's own server: when the first webhook about each payment came. */
async function startShop() {
  const arrivals = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { data } = (await json(request)) as { data: { object: { id: string } } };
    const { id } = data.object;
    arrivals.set(id, arrivals.get(id) ?? Date.now());
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, arrivals, server };
}

/** The shards of a large suite of tests, on one service. */
async function createInManyWorlds(host: LiveHost, owner: string) {
  const { url, arrivals, server } = await startShop();
  const worlds: World[] = [];
  for (let nth = 0; nth < WORLDS; nth += 1) {
    const world = await openWorld(host, owner);
    await host.ask(world.key, 'POST', '/webhook-endpoints', { url });
    worlds.push(world);
  }
  const created = new Map<string, number>();
  const times: number[] = [];
  let refused = 0;
  const endAt = Date.now() + WORLDS_MS;
  const createOne = async ({ key }: World) => {
    const startedAt = performance.now();
    try {
      const { id } = await host.ask<{ id: string }>(key, 'POST', '/payments', ORDER);
      times.push(performance.now() - startedAt);
      created.set(id, Date.now());
    } catch {
      refused += 1;
    }
  };
  await Promise.all(
    worlds.map(async (world, nth) => {
      // Not all at the same instant.
      await sleep((nth / WORLDS) * CREATES_PER_WORLD_MS);
      const sent: Promise<void>[] = [];
      for (let at = Date.now(); at < endAt; at += CREATES_PER_WORLD_MS) {
        await sleep(Math.max(0, at - Date.now()));
        sent.push(createOne(world));
      }
      await Promise.all(sent);
    }),
  );
  const giveUpAt = Date.now() + WEBHOOKS_WITHIN_MS;
  const isMissing = () => [...created.keys()].some((id) => !arrivals.has(id));
  while (isMissing() && Date.now() < giveUpAt) {
    await sleep(PROBE_PAUSE_MS);
  }
  const late = [...created].map(([id, atMs]) => (arrivals.get(id) ?? giveUpAt) - atMs);
  server.closeAllConnections();
  server.close();
  return {
    created: created.size,
    refused,
    p99: quantile(times, 0.99),
    webhookP99: quantile(late, 0.99),
  };
}
