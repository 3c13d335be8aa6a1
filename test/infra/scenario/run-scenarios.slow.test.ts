// @module-tag nightly
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readScenario } from '../../../infra/scenario/read-scenario.ts';
import { runScenario } from '../../../infra/scenario/run-scenario.ts';
import { type Client, createClient } from '../../../shared/client/client.ts';
import type { ScenarioStep } from '../../../shared/contract/testkit/scenarios.ts';
import { passOn, startProxy } from '../../support/faults/proxy.ts';
import { runToEnd } from '../../support/tools/run-to-end.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';
import { startDoubleCounting } from './double-counting.ts';

/** How often the story of one seed is told. */
const TELLINGS = 8;
const AT_ONCE = 4;
const SEEDS = [1, 2, 3, 4, 5, 6];

/** All weather of the provider, and enough steps to be shrunk. */
const WEATHERED = `name: stormy
given: { sinks: { shop: { fail_count: 1 } } }
weather: { provider: { duplicate: 300, late: 250, reorder: 250, mismatch: 250, silent: 200 } }
steps:
  - repeat:
      times: 2
      steps:
        - call: payments.create
          with: { amount: { currency: THB, minor: 12300 }, method: promptpay }
          as: order
        - simulate: { payment: $order, outcome: succeeded }
        - call: links.create
          with: { amount: { type: open } }
  - advance: 3h
  - simulate: { settlement: sim_provider }
always: [conservation, sequence, signatures]
`;

let client: Client;
let key: string;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'scenarios-'));
  key = (await newKey()).secret;
  client = createClient({ baseUrl, key });
});
afterAll(() => rm(dir, { recursive: true }));

async function play(text: string, seed = 1) {
  const { scenario, lineOf } = readScenario(text, 'shop.yaml');
  return runScenario({ client, baseUrl }, scenario, seed, lineOf);
}

/** Saves a file and runs it on the command line. */
async function pg(text: string, args: readonly string[] = [], at = baseUrl) {
  const file = path.join(await mkdtemp(path.join(dir, 'run-')), 'shop.yaml');
  await writeFile(file, text);
  const env = { ...process.env, PG_BASE_URL: at, PG_KEY: key };
  return { file, ...(await runToEnd(['infra/pg/pg.ts', 'scenario', 'run', file, ...args], env)) };
}

const ORDER = `name: an <order> & more
steps:
  - call: payments.create
    with: { amount: { currency: THB, minor: 129900 }, method: promptpay }
    as: order
`;

describe('a scenario', () => {
  test('has one story for each seed, however often it is run', async () => {
    const told = (await Promise.all(SEEDS.map((seed) => play(WEATHERED, seed)))).map(({ story }) => story);
    expect(new Set(told.map(String)).size).toBe(SEEDS.length);
    for (const weather of [
      'never comes',
      'comes after the next',
      's late',
      'and again',
      'of another amount',
    ]) {
      expect(String(told)).toContain(weather);
    }
    expect(String(told)).not.toMatch(/_\w{26}/);
    for (let telling = 0; telling < TELLINGS; telling += AT_ONCE) {
      const again = await Promise.all(Array.from({ length: AT_ONCE }, () => play(WEATHERED, SEEDS[0])));
      expect(again.map(({ story }) => story)).toEqual(again.map(() => told[0]));
    }
  });

  test.each<[string, string, string, string]>([
    [
      'a status',
      '  - expect: { payment: $order, status: succeeded }',
      'status "succeeded"',
      'it has status "requires_action"',
    ],
    [
      'an event',
      '  - expect: { event: payment.created, of: $order, times: 2 }',
      'payment.created 2 times',
      'it was 1 times',
    ],
    [
      'a refusal',
      '  - expect: { problem: invalid_state, from: { call: payments.cancel, id: $order } }',
      'call payments.cancel $order to be refused: invalid_state',
      'it was not refused',
    ],
    [
      'another refusal',
      '  - expect: { problem: rate_limited, from: { call: refunds.create, id: $order } }',
      'call refunds.create $order to be refused: rate_limited',
      'it was refused: invalid_state',
    ],
    [
      'a delivery',
      '  - expect: { delivery: payment.created, sink: shop, answered: 200 }\ngiven: { sinks: { shop: { respond_status: 503 } } }',
      'payment.created answered 200 at least once',
      'it was 0 times, of answers 503, 503',
    ],
    [
      'a clock',
      '  - expect: { clock: 2099-01-01T00:00:00Z }',
      'the clock at 2099-01-01T00:00:00Z or later',
      'it shows 20',
    ],
    [
      'a call',
      '  - call: refunds.create\n    id: $order',
      'call refunds.create $order to be accepted',
      'it was refused: invalid_state',
    ],
  ])('that expects %s in vain says what was expected and what was', async (_, step, expected, actual) => {
    const { failure, story } = await play(`${ORDER}${step}\n`);
    expect(failure?.expected).toBe(expected);
    expect(failure?.actual).toContain(actual);
    expect(story.at(-1)).toMatch(/^ +6 {2}.* → FAILED: /);
    expect((await client.listTestWorlds()).data).toEqual([]);
  });
});

describe('pg scenario run', () => {
  test('tells the story, writes JUnit XML, and leaves no world', async () => {
    const junit = path.join(dir, 'passed.xml');
    const { file, code, stdout } = await pg(ORDER, ['--story', '--junit', junit]);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'an <order> & more, seed 1',
      '   3  call payments.create as order → requires_action',
      'events',
      '  order: payment.created, payment.requires_action',
      `${file}: an <order> & more: passed, seed 1`,
      '',
    ]);
    expect(await readFile(junit, 'utf8')).toMatch(
      /<testsuite name="scenarios" tests="1" failures="0" .*\n.* name="an &lt;order&gt; &amp; more" /,
    );
  });

  test('ends with 1, the line, what was expected, what was, and the command that repeats it', async () => {
    const junit = path.join(dir, 'failed.xml');
    const text = `${ORDER}  - expect: { payment: $order, status: succeeded }\n`;
    const { file, code, stdout, stderr } = await pg(text, ['--seed', '7', '--junit', junit]);
    expect([code, stderr]).toEqual([1, '1 of 1 failed.\n']);
    expect(stdout.split('\n')).toEqual([
      `${file}:6: expect payment $order, status succeeded`,
      '  expected: status "succeeded"',
      '  was:      it has status "requires_action"',
      `  again:    pg scenario run ${file} --seed 7 --story`,
      '',
    ]);
    expect(await readFile(junit, 'utf8')).toContain('failures="1"');
  });

  test('refuses a wrong file before it makes a world', async () => {
    const { file, code, stdout, stderr } = await pg(`${ORDER}  - advance: soon\n`);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`${file}:6:5: advance must be a duration such as 90s, 20m, 2h, 3d or 1h30m.\n`);
  });

  test.each([
    ['fails', [], 1],
    ['waits for them as long as it is told', ['--event-timeout', '60s'], 0],
  ])('at a service whose events are late, %s', async (_name, args, code) => {
    // It looks nine times within its usual patience.
    let hidden = 12;
    await using late = await startProxy(async (request, response) => {
      const answer = await passOn(baseUrl, request, await text(request));
      const isHidden = request.url?.startsWith('/api/v1/events?') && hidden > 0;
      hidden -= isHidden ? 1 : 0;
      const none = { data: [], has_more: false, next_cursor: null, next_sequence: 0 };
      response.writeHead(answer.status, { 'Content-Type': 'application/json' });
      response.end(isHidden ? JSON.stringify(none) : await answer.text());
    });
    const run = await pg(
      `${ORDER}  - expect: { event: payment.created, of: $order, times: 1 }\n`,
      args,
      late.baseUrl,
    );
    expect(run.code, run.stdout).toBe(code);
  });

  test('saves the shortest that fails as a new file alone, also of one seed', async () => {
    const text = `${ORDER}  - advance: 1m\n  - expect: { payment: $order, status: succeeded }\n`;
    const save = path.join(dir, 'new.yaml');
    const { code, stdout } = await pg(text, ['--save', save]);
    expect(code).toBe(1);
    expect(stdout).toContain(`is saved: pg scenario run ${save} --seed 1 --story\n`);
    const saved = await readFile(save, 'utf8');
    expect(saved).toMatch(/^# pg scenario run .*new\.yaml --seed 1 --story\n/);
    expect(readScenario(saved, save).scenario.steps).toHaveLength(2);
    for (const [args, refusal] of [
      [['--save', save], `--save takes a new file, and ${save} exists.`],
      [[save, '--save', `${save}2`], '--save takes one scenario file'],
      [['--save', path.join(dir, 'no/such.yaml')], 'such.yaml cannot be written: ENOENT.'],
    ] as const) {
      const refused = await pg(text, args);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(refusal)]);
    }
    expect(await readFile(save, 'utf8')).toBe(saved);
  });

  test('finds a notice that is counted twice, and shrinks it to a file that shows it again', async () => {
    const service = await startDoubleCounting(baseUrl);
    onTestFinished(service.stop);
    const save = path.join(dir, 'shortest.yaml');
    const found = await pg(WEATHERED, ['--runs', '50', '--save', save], service.baseUrl);
    expect(found.code, found.stderr).toBe(1);
    expect(found.stdout).toContain('the law of conservation');
    expect(found.stdout).toMatch(
      /\nThe shortest that fails in the same way, of \d+ tried, is saved: pg scenario run /,
    );
    const printed = await readFile(save, 'utf8');
    const { scenario } = readScenario(printed, 'shortest.yaml');
    const stepsIn = (steps: readonly ScenarioStep[]): number =>
      steps.reduce((sum, step) => sum + ('repeat' in step ? stepsIn(step.repeat.steps) : 1), 0);
    expect(stepsIn(scenario.steps)).toBeLessThanOrEqual(4);
    expect(Object.keys(scenario.weather?.provider ?? {})).toEqual(['duplicate']);
    const [, seed = ''] = /--seed (\d+)/.exec(printed) ?? [];
    const again = await pg(printed, ['--seed', seed, '--runs', '2'], service.baseUrl);
    expect(again.code).toBe(1);
    expect(again.stdout).toContain('the law of conservation');
    expect(again.stdout).toContain('\n# Save as shortest.yaml, then: pg scenario run shortest.yaml --seed ');
    const sound = await pg(printed, ['--seed', seed]);
    expect(sound.code, sound.stdout).toBe(0);
  });
});
