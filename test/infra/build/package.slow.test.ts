import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { ENGINES, PACKAGE } from '../../../infra/build/build-package.ts';
import { SAMPLES } from '../../support/tools/guide-samples.ts';
import { type InstalledPackage, installPackage } from '../../support/tools/installed-package.ts';
import { nodeOfVersion } from '../../support/tools/node-version.ts';
import { installPythonRequirements } from '../../support/tools/python-package.ts';

/** The oldest that it is for, and the repository's own. */
const NODE_VERSIONS = ['22.13.0', process.versions.node];
const MEGABYTE = 1_000_000;
const TARBALL_MAX_BYTES = 3 * MEGABYTE;

let kit: InstalledPackage;

beforeAll(async () => {
  kit = await installPackage({ packedIn: inject('runFolder'), hasEngine: true });
});
afterAll(() => kit?.remove());

/** What a process of somebody else has in its environment: no variable of this project, and folders of its own. */
async function environmentOf(
  version: string,
): Promise<{ env: NodeJS.ProcessEnv; node: string; tmp: string }> {
  const tmp = await mkdtemp(path.join(tmpdir(), 'payments-stranger-'));
  onTestFinished(() => rm(tmp, { recursive: true, maxRetries: 5 }));
  const node = await nodeOfVersion(version);
  const bin = path.join(tmp, 'bin');
  await mkdir(bin);
  await symlink(node, path.join(bin, 'node'));
  const PATH = [bin, '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter);
  return { node, tmp, env: { PATH, HOME: tmp, TMPDIR: tmp, XDG_RUNTIME_DIR: tmp } };
}

/** A project that has the package, in a folder of its own with nothing else in it. */
async function newProject(version: string) {
  const { env, node, tmp } = await environmentOf(version);
  const dir = path.join(tmp, 'shop');
  await mkdir(dir);
  await writeFile(path.join(dir, 'package.json'), '{"name":"shop","private":true}');
  await symlink(path.join(kit.dir, 'node_modules'), path.join(dir, 'node_modules'));
  const program = path.join(dir, 'node_modules/.bin/pg');
  const run = async (command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const options = { cwd: dir, env: { ...env, ...more } };
    return promisify(execFile)(command, args, options).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        stdout,
        stderr,
      }),
    );
  };
  const begin = (command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const child = spawn(command, args, {
      cwd: dir,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => ended(child));
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        printed += String(chunk);
      });
    }
    return Object.assign(child, { printed: () => printed });
  };
  const pg = (...args: readonly string[]) => run(program, args);
  const start = async (...args: readonly string[]) => {
    const child = begin(program, ['start', '--port', '0', ...args]);
    const { stdout } = await pg('status', '--wait', '120s', '--json');
    return { child, service: JSON.parse(stdout) as { base_url: string; key: string; pid: number } };
  };
  return { dir, node, program, run, begin, pg, start };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

describe('the package', () => {
  test('is one package beside the engine, and small', async () => {
    const modules = path.join(kit.dir, 'node_modules');
    expect((await readdir(modules)).filter((name) => !name.startsWith('.'))).toEqual(['@dynoxide', PACKAGE]);
    expect((await stat(kit.tarball)).size).toBeLessThan(TARBALL_MAX_BYTES);
  });

  test('has programs in ASCII, which Node keeps in one byte a character', async () => {
    const programs = (await readdir(kit.installed)).filter((name) => name.endsWith('.js'));
    expect(programs).toContain('host.js');
    for (const name of programs.filter((each) => !['index.js', 'testing.js'].includes(each))) {
      const code = await readFile(path.join(kit.installed, name));
      expect(
        code.every((byte) => byte < 0x80),
        name,
      ).toBe(true);
    }
  });

  test('depends on nothing but engines, whichever of them npm finds', async () => {
    const manifest = JSON.parse(await readFile(path.join(kit.installed, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([
      'optionalDependencies',
    ]);
    expect(Object.keys(manifest.optionalDependencies)).toEqual(ENGINES.map((name) => `@dynoxide/${name}`));
    expect(manifest.bin).toEqual({ pg: './pg.js', [PACKAGE]: './pg.js' });
  });

  test('names the third-party code in it, with its licenses', async () => {
    const notices = await readFile(path.join(kit.installed, 'THIRD-PARTY.txt'), 'utf8');
    for (const name of [
      'valibot',
      '@aws-sdk/client-dynamodb',
      'commander',
      'yaml',
      'preact',
      '@middy/core',
    ]) {
      expect(notices).toMatch(new RegExp(`^${name} \\d.* \\(.+\\)$`, 'm'));
    }
  });
});

describe.each(NODE_VERSIONS)('a stranger with the package and Node %s', (version) => {
  test('starts a service, pays, has a verified webhook, and sees no warning', async () => {
    const { dir, pg, start, begin, node } = await newProject(version);
    const { child, service } = await start('--memory');
    await writeFile(
      path.join(dir, 'receiver.mjs'),
      `import { createServer } from 'node:http';
       import { buffer } from 'node:stream/consumers';
       import { webhooks } from '${PACKAGE}';
       createServer(async (request, response) => {
         const { type } = webhooks.verify(await buffer(request), request.headers, process.env.SECRET);
         console.log('verified', type);
         response.writeHead(204).end();
       }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`,
    );
    const SECRET = (await pg('listen', '--print-secret')).stdout.trim();
    const receiver = begin(node, ['receiver.mjs'], { SECRET });
    await expect.poll(receiver.printed).toMatch(/^\d+\n/);
    const url = `http://127.0.0.1:${receiver.printed().trim()}/hook`;
    const made = await pg('trigger', 'payment.succeeded');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect((await pg('listen', '--forward-to', url, '--once', '3')).code).toBe(0);
    await expect.poll(receiver.printed).toContain('verified payment.succeeded');
    expect((await fetch(`${service.base_url}/console`)).status).toBe(200);
    expect(await (await fetch(`${service.base_url}/docs/webhooks`)).text()).toContain('Standard Webhooks');
    expect(await pg('stop')).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(() => child.exitCode).toBe(0);
    expect(child.printed()).not.toMatch(/warning/i);
  });

  test('runs a scenario, and an agent calls its tools', async () => {
    const { dir, program, run } = await newProject(version);
    await writeFile(
      path.join(dir, 'late-money.yaml'),
      String(SAMPLES.find(({ use }) => use === 'scenario')?.code),
    );
    const asked = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ];
    await writeFile(path.join(dir, 'asked.jsonl'), asked.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const script = `"${program}" scenario run late-money.yaml; (cat asked.jsonl; sleep 3) | "${program}" mcp`;
    const { stdout } = await run(program, ['run', '--', 'sh', '-c', script]);
    expect(stdout).toContain('late money is kept');
    expect(stdout).toContain('"name":"createPayment"');
  });

  test('examines the shop of the samples, which passes the whole exam', async () => {
    const { begin, node, pg, start } = await newProject(version);
    await start('--memory');
    const WEBHOOK_SECRET = (await pg('exam', '--print-secret')).stdout.trim();
    const shop = begin(node, [`node_modules/${PACKAGE}/samples/node-shop.mjs`], { WEBHOOK_SECRET });
    await expect.poll(shop.printed).toMatch(/^Shop at http:\S+\n/);
    const url = shop.printed().trim().replace('Shop at ', '');
    const addresses = [
      '--receiver',
      `${url}/webhooks`,
      '--order',
      `${url}/orders`,
      '--probe',
      `${url}/probe`,
    ];
    const { code, stdout } = await pg('exam', ...addresses, '--json');
    expect({ code, failed: JSON.parse(stdout).failed }).toEqual({ code: 0, failed: 0 });
  });

  test('says how to have an engine where npm could install none', async () => {
    const { dir, node, run } = await newProject(version);
    await rm(path.join(dir, 'node_modules'));
    await mkdir(path.join(dir, 'node_modules'));
    const alone = path.join(dir, 'node_modules', PACKAGE);
    await promisify(execFile)('cp', ['-r', kit.installed, alone]);
    const { code, stderr } = await run(node, [path.join(alone, 'pg.js'), 'start', '--port', '0']);
    expect(code).toBe(1);
    expect(stderr).toContain('The service needs an engine to keep its data, and found none');
    expect(stderr).toContain('npm install --no-save @dynoxide/');
    expect(stderr).toMatch(/AWS_ENDPOINT_URL_DYNAMODB=\S+ pg start/);
  });
});

describe('pg init', () => {
  const LINKED = ['vitest', '.bin/vitest'].map((name) => `node_modules/${name}`);
  beforeAll(() => Promise.all(LINKED.map((name) => symlink(path.resolve(name), path.join(kit.dir, name)))));
  afterAll(() => Promise.all(LINKED.map((name) => rm(path.join(kit.dir, name)))));

  /** A project, and the command that `pg init` prints for it. */
  async function initiated(name: string, content: string) {
    const project = await newProject(process.versions.node);
    await writeFile(path.join(project.dir, name), content);
    const { code, stdout } = await project.pg('init');
    const [, line = ''] = /^In CI {5}npx payments-kit (.+)$/m.exec(stdout) ?? [];
    return { ...project, code, words: line.split(' ') };
  }

  test.each([
    ['node:test', '{"name":"shop"}', /pass 3/],
    ['vitest', '{"name":"shop","devDependencies":{"vitest":"*"}}', /3 passed/],
  ])('writes tests for %s that are green at once', async (_, manifest, passed) => {
    const { pg, code, words } = await initiated('package.json', manifest);
    expect(code).toBe(0);
    const run = await pg(...words);
    expect(run.stdout + run.stderr).toMatch(passed);
    expect(run.code).toBe(0);
  });

  test('writes tests for pytest that are green at once', async () => {
    const { run, program, words } = await initiated('requirements.txt', '');
    const python = await installPythonRequirements(
      path.resolve('test/other-runners/python/requirements.txt'),
    );
    const own = words.map((word) => (word === 'python' ? path.join(python, 'bin/python') : word));
    const { code, stdout } = await run(program, own);
    expect(stdout).toContain('3 passed');
    expect(code).toBe(0);
  });

  test('writes a scenario for any other language', async () => {
    const { dir, pg, run } = await newProject(process.versions.node);
    await rm(path.join(dir, 'package.json'));
    await writeFile(path.join(dir, 'go.mod'), 'module shop');
    expect((await pg('init')).code).toBe(0);
    const program = path.join(dir, 'node_modules/.bin/pg');
    const { code } = await run(program, ['run', '--', program, 'scenario', 'run', 'payments.scenario.yaml']);
    expect(code).toBe(0);
  });

  test('overwrites nothing', async () => {
    const { dir, pg } = await initiated('package.json', '{}');
    await writeFile(path.join(dir, 'payments.test.mjs'), 'mine');
    expect(await pg('init')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'payments.test.mjs is there already. Nothing was written.\n',
    });
    expect(await readFile(path.join(dir, 'payments.test.mjs'), 'utf8')).toBe('mine');
  });
});

describe('the helpers of the package', () => {
  test.each(['node-test'])(
    'give each file a world of its own, at a service that they start: %s',
    async (use) => {
      const { dir, run, node } = await newProject(process.versions.node);
      const sample = SAMPLES.find((each) => each.use === use);
      await writeFile(path.join(dir, 'orders.test.mts'), String(sample?.code));
      expect(await run(node, ['--test', 'orders.test.mts'])).toMatchObject({ code: 0 });
    },
  );

  test('are a fixture of pytest, at a service that it starts', async () => {
    const { dir, run } = await newProject(process.versions.node);
    const python = await installPythonRequirements(
      path.resolve('test/other-runners/python/requirements.txt'),
    );
    for (const [name, use] of [
      ['test_orders.py', 'pytest'],
      ['conftest.py', 'conftest'],
    ] as const) {
      await writeFile(path.join(dir, name), String(SAMPLES.find((each) => each.use === use)?.code));
    }
    const PYTHONPATH = path.join(dir, 'node_modules', PACKAGE, 'python');
    const args = ['-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'];
    expect(await run(path.join(python, 'bin/python'), args, { PYTHONPATH })).toMatchObject({ code: 0 });
  });
});
