import { globSync, readFileSync } from 'node:fs';
import { readScenario } from '../../infra/scenario/read-scenario.ts';
import { runScenario } from '../../infra/scenario/run-scenario.ts';
import { createClient } from '../../shared/client/client.ts';
import {
  createTestWorld,
  type OwnTestWorld,
  type TestWorldOptions,
} from '../../shared/client/testing/create-test-world.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { type ServiceFile, startHost } from '../support/world/host.ts';
import { type LiveHost, startLiveHost } from './live-host.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';

/*
 * Test worlds: how fast they are created, and whether those that have ended slow the next ones down.
 */

const WINDOW_MS = 5 * SECOND_MS;
const MANY_CLIENTS = 16;
const ENDED = 10_000;
const TURNS = 9;
const TURN_MS = 2 * SECOND_MS;
const HELPED_WORLDS = 50;
const HELPED_STARTS = 9;
const FORKED_PAYMENTS = [10, 100, 1_000];
const FORKS_OF_EACH = 5;
/** A suite of tests, and how many of its files a test runner runs at once. */
const SUITE_FILES = 100;
const SUITE_WORKERS = 4;
const SCENARIO_ROUNDS = 3;

interface World {
  readonly id: string;
}

export async function measure(): Promise<Section> {
  const host = await startLiveHost();
  try {
    const secret = await host.issueKey('worlds');
    await createFor(host, secret, 1, WINDOW_MS);
    const alone = await createFor(host, secret, 1, WINDOW_MS);
    const many = await createFor(host, secret, MANY_CLIENTS, WINDOW_MS);
    const seeded = await createFor(host, secret, 1, WINDOW_MS, { profile: 'small' });
    await createUntil(host, secret, ENDED);
    const fresh = await host.issueKey('fresh');
    const [later, beside] = await byTurns(host, [secret, fresh]);
    const kept = beside.p50 / later.p50;
    const helped = await helperP50(HELPED_WORLDS, { baseUrl: host.baseUrl, key: secret });
    const started = await helperP50(HELPED_STARTS, {});
    const { suite, scenariosPerSecond, forks } = await playAlone();
    return {
      lines: [
        'At `npm start`, each world created and deleted. *p50* is of the request that creates it. The last two are by turns.',
        '',
        '| | Worlds a second | p50, ms |',
        '|---|---:|---:|',
        ...[
          ['one client', alone] as const,
          [`${MANY_CLIENTS} clients`, many] as const,
          ['one client, worlds seeded with `small`', seeded] as const,
          [`one client of a merchant with ${ENDED.toLocaleString('en')} ended worlds`, later] as const,
          ['one client of a merchant without any', beside] as const,
        ].map(([name, { perSecond, p50 }]) => `| ${name} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} |`),
        '',
        `\`createTestWorld()\` of \`payments-kit/testing\`, p50: ${helped.toFixed(1)} ms on a running service, ${started.toFixed(0)} ms with a service that it starts.`,
        '',
        '| A fork of a world with | ms |',
        '|---|---:|',
        ...forks.map(
          ({ payments, tookMs }) => `| ${payments.toLocaleString('en')} payments | ${tookMs.toFixed(0)} |`,
        ),
        '',
        `A suite of ${SUITE_FILES} files, each of which pays and waits for the event: ${suite.oneWorldMs.toFixed(0)} ms by turns in one world, ${suite.ownWorldsMs.toFixed(0)} ms with a world for each, ${SUITE_WORKERS} files at once.`,
        '',
        `Ready scenarios (\`test/scenarios/\`): ${scenariosPerSecond.toFixed(2)} a second, one after the other.`,
      ],
      figures: {
        'worlds.per_second_1_client': alone.perSecond,
        'worlds.per_second_16_clients': many.perSecond,
        'worlds.create_p50_ms': alone.p50,
        'worlds.create_seeded_p50_ms': seeded.p50,
        'worlds.kept_with_10000_ended': kept,
        'worlds.helper_p50_ms': helped,
        'worlds.helper_with_start_p50_ms': started,
        'worlds.fork_1000_payments_ms': Number(forks.at(-1)?.tookMs),
        'worlds.suite_of_own_worlds': suite.ownWorldsMs / suite.oneWorldMs,
        'worlds.scenarios_per_second': scenariosPerSecond,
      },
      failures: [],
    };
  } finally {
    await host.stop();
  }
}

interface Pace {
  readonly perSecond: number;
  readonly p50: number;
}

/** One client for each key, in many short windows by turns, so that what else the machine does slows both. */
async function byTurns(host: LiveHost, secrets: readonly [string, string]): Promise<[Pace, Pace]> {
  const paces: [Pace[], Pace[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    paces[0].push(await createFor(host, secrets[0], 1, TURN_MS));
    paces[1].push(await createFor(host, secrets[1], 1, TURN_MS));
  }
  return [median(paces[0]), median(paces[1])];
}

function median(paces: readonly Pace[]): Pace {
  return {
    perSecond: quantile(
      paces.map(({ perSecond }) => perSecond),
      0.5,
    ),
    p50: quantile(
      paces.map(({ p50 }) => p50),
      0.5,
    ),
  };
}

/** Creates worlds for a while, and deletes each. */
async function createFor(
  host: LiveHost,
  secret: string,
  clients: number,
  forMs: number,
  more: object = {},
): Promise<Pace> {
  const startedAt = Date.now();
  const took: number[] = [];
  const client = async () => {
    while (Date.now() < startedAt + forMs) {
      took.push(await createOne(host, secret, more));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { perSecond: (took.length * SECOND_MS) / (Date.now() - startedAt), p50: quantile(took, 0.5) };
}

/** @returns how many milliseconds the helper of the client takes, at the service that is named or one that it starts */
async function helperP50(times: number, options: TestWorldOptions): Promise<number> {
  const took: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const startedAt = performance.now();
    const world = await createTestWorld(options);
    took.push(performance.now() - startedAt);
    await world.end();
  }
  return quantile(took, 0.5);
}

/** Forks worlds of ever more payments. @returns the median of a few forks of each */
async function forksBySize({ baseUrl, key }: ServiceFile): Promise<{ payments: number; tookMs: number }[]> {
  const client = createClient({ baseUrl, key });
  const { world } = await client.getKey();
  const sizes: { payments: number; tookMs: number }[] = [];
  const forks: string[] = [];
  let made = 0;
  for (const payments of FORKED_PAYMENTS) {
    const creator = async () => {
      while (made < payments) {
        made += 1;
        await client.createPayment({ amount: { currency: 'THB', minor: 100 } });
      }
    };
    await Promise.all(Array.from({ length: MANY_CLIENTS }, creator));
    const took: number[] = [];
    for (let time = 0; time < FORKS_OF_EACH; time += 1) {
      const startedAt = performance.now();
      const { id } = await client.forkTestWorld(world, { name: 'bench' });
      took.push(performance.now() - startedAt);
      forks.push(id);
    }
    sizes.push({ payments, tookMs: quantile(took, 0.5) });
  }
  // Not before, because the service then deletes what they hold.
  await Promise.all(forks.map((id) => client.deleteTestWorld(id)));
  return sizes;
}

/** What opens pages by the addresses in responses, at which the live host is not; and what a few worlds are enough for. */
async function playAlone() {
  const host = await startHost({ isOnDisk: true });
  try {
    return {
      suite: await suites(host),
      scenariosPerSecond: await readyScenarios(host),
      forks: await forksBySize(host),
    };
  } finally {
    await host.stop();
  }
}

/** A suite whose files share one world, one after the other, and the same with a world for each file, several at once. */
async function suites({ baseUrl, key }: ServiceFile): Promise<{ oneWorldMs: number; ownWorldsMs: number }> {
  let startedAt = performance.now();
  const shared = await createTestWorld({ baseUrl, key });
  for (let file = 0; file < SUITE_FILES; file += 1) {
    await playFile(shared);
  }
  await shared.end();
  const oneWorldMs = performance.now() - startedAt;
  startedAt = performance.now();
  let left = SUITE_FILES;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const own = await createTestWorld({ baseUrl, key });
      await playFile(own);
      await own.end();
    }
  };
  await Promise.all(Array.from({ length: SUITE_WORKERS }, worker));
  return { oneWorldMs, ownWorldsMs: performance.now() - startedAt };
}

/** What a test file does: a payment, its success, and the event of it. */
async function playFile({ client, nextEvent }: OwnTestWorld): Promise<void> {
  const { id } = await client.createPayment({
    amount: { currency: 'THB', minor: 129_900 },
    method: 'promptpay',
  });
  await client.simulatePayment(id, { outcome: 'succeeded' });
  await nextEvent('payment.succeeded', { where: ({ data }) => data.object.id === id });
}

/** @returns how many ready scenarios are played in a second */
async function readyScenarios({ baseUrl, key }: ServiceFile): Promise<number> {
  const client = createClient({ baseUrl, key });
  const sources = globSync('test/scenarios/*.yaml').map((file) =>
    readScenario(readFileSync(file, 'utf8'), file),
  );
  const startedAt = performance.now();
  for (let round = 1; round <= SCENARIO_ROUNDS; round += 1) {
    for (const { file, scenario } of sources) {
      const { failure } = await runScenario({ client, baseUrl }, scenario, round);
      if (failure !== null && failure !== undefined) {
        throw new Error(`${file}: ${failure.message}`);
      }
    }
  }
  return (sources.length * SCENARIO_ROUNDS * SECOND_MS) / (performance.now() - startedAt);
}

async function createUntil(host: LiveHost, secret: string, count: number): Promise<void> {
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await createOne(host, secret, {});
    }
  };
  await Promise.all(Array.from({ length: MANY_CLIENTS }, client));
}

/** @returns how many milliseconds its creation took */
async function createOne(host: LiveHost, secret: string, more: object): Promise<number> {
  const startedAt = performance.now();
  const { id } = await host.ask<World>(secret, 'POST', '/test/worlds', { name: 'bench', ...more });
  const tookMs = performance.now() - startedAt;
  await host.ask(secret, 'DELETE', `/test/worlds/${id}`);
  return tookMs;
}
