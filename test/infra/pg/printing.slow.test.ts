// @module-tag nightly
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runToEnd } from '../../support/tools/run-to-end.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';

const FAILING = `name: fails
steps:
  - call: payments.create
    with: { amount: { currency: THB, minor: 100 } }
    as: order
  - call: payments.get
    id: $order
    as: "order"
  - expect: { payment: $order, status: canceled }
`;
const PASSING = `name: passes
steps: [{ advance: 1s }]
`;
const STEERING = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s*::/mu;

let dir: string;
let env: NodeJS.ProcessEnv;
let failing: string;
let passing: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'printing-'));
  env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: (await newKey()).secret };
  failing = path.join(dir, 'failing.yaml');
  passing = path.join(dir, 'passing.yaml');
  await writeFile(failing, FAILING);
  await writeFile(passing, PASSING);
});
afterAll(() => rm(dir, { recursive: true }));

function pg(args: readonly string[], own: NodeJS.ProcessEnv = {}) {
  return runToEnd(['infra/pg/pg.ts', ...args], { ...env, ...own });
}

/** Where output goes that cannot be written: a pipe that nobody reads any more, and a disk without room. */
const BROKEN = {
  'a closed pipe': async (args: readonly string[], which: 1 | 2) => {
    const child = spawn(process.execPath, ['infra/pg/pg.ts', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    (which === 1 ? child.stdout : child.stderr).destroy();
    (which === 1 ? child.stderr : child.stdout).resume();
    return (await once(child, 'exit'))[0];
  },
  'a full disk': async (args: readonly string[], which: 1 | 2) => {
    const full = openSync('/dev/full', 'w');
    const stdio = which === 1 ? (['ignore', full, 'ignore'] as const) : (['ignore', 'ignore', full] as const);
    const child = spawn(process.execPath, ['infra/pg/pg.ts', ...args], { env, stdio: [...stdio] });
    return (await once(child, 'exit'))[0];
  },
} as const;

describe.each(Object.entries(BROKEN))('with %s for its output', (name, run) => {
  test.each([1, 2] as const)('a scenario that fails is a failure (descriptor %i)', async (which) => {
    expect(await run(['scenario', 'run', failing, '--story'], which)).toBe(1);
  });

  test('a scenario runs to its verdict, and its report is whole', async () => {
    const junit = path.join(dir, `${name}.xml`);
    await run(['scenario', 'run', passing, failing, '--story', '--junit', junit], 1);
    expect(await readFile(junit, 'utf8')).toMatch(/tests="2" failures="1" errors="0"/);
  });

  test('lines that are lost are no success, and a reader that has seen enough is none', async () => {
    expect(await run(['payments', 'list', '--json'], 1)).toBe(name === 'a full disk' ? 1 : 0);
  });

  test('an unknown command is an error', async () => {
    expect(await run(['nonsense'], 2)).toBe(1);
  });
});

describe('the report of an earlier run', () => {
  const old = '<testsuites tests="1" failures="0"/>';

  test.each([
    ['a service that is not there', ['--base-url', 'http://127.0.0.1:1'], 'passing', 'cannot be reached'],
    ['a file that is no scenario', [], 'missing', 'cannot be read'],
  ] as const)('does not stay after %s', async (_name, args, file, reason) => {
    const junit = path.join(dir, `${file}-old.xml`);
    await writeFile(junit, old);
    const { code } = await pg([
      ...['scenario', 'run', path.join(dir, `${file}.yaml`), '--junit', junit],
      ...args,
    ]);
    expect(code).toBe(1);
    const report = await readFile(junit, 'utf8');
    expect(report).toContain('errors="1"');
    expect(report).toMatch(new RegExp(reason));
  });

  test.each(['junit', 'report', 'html', 'markdown'])('of an exam does not stay: --%s', async (option) => {
    const file = path.join(dir, `exam.${option}`);
    await writeFile(file, 'all is well');
    const { code } = await pg([
      'exam',
      '--receiver',
      'http://127.0.0.1:1/',
      '--only',
      'NONE',
      `--${option}`,
      file,
    ]);
    expect(code).toBe(1);
    expect(await readFile(file, 'utf8')).toContain('there is no question NONE');
  });

  test('is not begun where it cannot be written: the command says so first', async () => {
    const { code, stderr, stdout } = await pg([
      'scenario',
      'run',
      passing,
      '--junit',
      path.join(dir, 'no/such.xml'),
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('such.xml cannot be written: ENOENT');
  });
});

describe('nothing from outside steers the terminal', () => {
  const evil = 'x\u001b]0;owned\u0007\n::error::y\u009b2J\u202e##[z';

  test.each([[[]], [['--json']], [['--story']]])('a scenario: %j', async (args) => {
    const junit = path.join(dir, `steer-${args[0] ?? 'plain'}.xml`);
    const { code, stdout, stderr } = await pg(['scenario', 'run', failing, '--junit', junit, ...args]);
    expect(code).toBe(1);
    expect(stdout).not.toBe('');
    for (const text of [stdout, stderr, await readFile(junit, 'utf8')]) {
      expect(text).not.toMatch(STEERING);
    }
  });

  test.each(
    [
      ['payments', 'get', 'pay_1'],
      ['payments', 'list'],
      ['events'],
      ['sinks', 'list'],
      ['endpoints', 'list'],
      ['links', 'create'],
      ['world', 'list'],
      ['clock'],
      ['call', 'getKey'],
      ['payments', 'create', '--amount', '5'],
      ['refunds', 'cancel', 'ref_1'],
    ].flatMap((args) => [args, [...args, '--json']].map((words) => [words.join(' '), words] as const)),
  )('pg %s, whether it is answered or refused', async (_name, args) => {
    const item = { id: evil, type: evil, status: evil, reference: evil, [evil]: evil, url: evil, name: evil };
    const problem = {
      type: evil,
      code: evil,
      status: 404,
      title: evil,
      detail: evil,
      errors: [{ field: evil, message: evil }],
      [evil]: evil,
    };
    let status = 200;
    const server = createServer((_, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      const page = { ...item, data: [item], has_more: true, next_cursor: evil, next_sequence: 1 };
      response.end(JSON.stringify(status === 200 ? page : problem));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = { PG_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const answered = await pg(args, own);
    status = 404;
    const refused = await pg(args, own);
    server.close();
    expect(`${answered.stdout}${answered.stderr}`).not.toMatch(STEERING);
    expect(refused.code).toBe(1);
    expect(refused.stderr).not.toBe('');
    expect(`${refused.stdout}${refused.stderr}`).not.toMatch(STEERING);
    if (args.includes('--json')) {
      expect(JSON.parse(refused.stderr).code).toBe(evil);
      expect(answered.stdout).not.toBe('');
      JSON.parse(answered.stdout);
    }
  });
});
