import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { describeInBrowser, watch } from '../support/browser/browser.ts';
import { type InstalledPackage, installPackage, STRICT } from '../support/tools/installed-package.ts';
import { nodeOfVersion } from '../support/tools/node-version.ts';
import { runCommand } from '../support/tools/run-command.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';

const ROOT = process.cwd();
const PROGRAMS = path.join(import.meta.dirname, 'installed');

/** The oldest that it is for, and the repository's own. */
const NODE_VERSIONS = ['22.13.0', process.versions.node];

const readme = await readFile('shared/client/README.md', 'utf8');
const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];

let client: InstalledPackage;

beforeAll(async () => {
  client = await installPackage({ packedIn: inject('runFolder') });
});
afterAll(() => client?.remove());

describe('the types of the package', () => {
  test.each([
    ['an ES module of Node', { module: 'nodenext' }, 'module', 'ts'],
    ['CommonJS, which cannot require an ES module', { module: 'node16' }, 'commonjs', 'ts'],
    ['CommonJS among ES modules', { module: 'node16' }, 'module', 'cts'],
    ['bundled', { module: 'esnext', moduleResolution: 'bundler' }, 'module', 'ts'],
  ] as const)(
    'are found and hold in a strict program that is %s',
    async (folder, options, type, extension) => {
      const dir = path.join(client.dir, folder);
      await mkdir(dir);
      await writeFile(path.join(dir, 'package.json'), JSON.stringify({ type }));
      for (const name of ['strict-program', 'browser-program']) {
        await copyFile(path.join(PROGRAMS, `${name}.ts`), path.join(dir, `${name}.${extension}`));
      }
      await client.compile(folder, { compilerOptions: { ...STRICT, ...options } });
    },
  );

  test('hold in the example of the README', async () => {
    await mkdir(path.join(client.dir, 'example'));
    await writeFile(path.join(client.dir, 'example/first.mts'), example);
    const typeRoots = [path.join(ROOT, 'node_modules/@types')];
    const compilerOptions = { ...STRICT, module: 'nodenext', types: ['node'], typeRoots };
    await client.compile('example', { compilerOptions });
  });
});

describe.each(NODE_VERSIONS)('the example of the README, in Node %s', (version) => {
  async function run(name: string, program: string) {
    await writeFile(path.join(client.dir, name), program);
    const { secret } = await newKey();
    const env = { PG_BASE_URL: baseUrl, PG_KEY: secret };
    return runCommand(await nodeOfVersion(version), [name], { cwd: client.dir, env });
  }

  test('runs as an ES module', async () => {
    const code = example.split('\n').filter((line) => line !== '' && !line.startsWith('import '));
    expect(code.length).toBeLessThanOrEqual(5);
    expect(await run(`${version}.mjs`, example)).toEqual({ stdout: 'P-000001 succeeded\n', stderr: '' });
  });

  test('runs in CommonJS, started as the README says', async () => {
    const [, begin = ''] = /In CommonJS, it begins with `(.*)`/.exec(readme) ?? [];
    const program = `(async () => {${example.replace(/^import .*;$/m, begin)}})();`;
    expect(await run(`${version}.cjs`, program)).toEqual({ stdout: 'P-000001 succeeded\n', stderr: '' });
  });
});

test.each([
  ['an ES module', 'mts', "import { createTestWorld } from 'payments-kit/testing';"],
  ['CommonJS', 'cts', "const { createTestWorld } = require('payments-kit/testing');"],
])('a next event that does not come is an error of the line that waits: %s', async (_, extension, load) => {
  const name = 'next-event-forms.mts';
  await copyFile(path.join(import.meta.dirname, 'testing/next-event-forms.ts'), path.join(client.dir, name));
  const program = `${load}
    const isOfPackage = (frame) => frame.includes('/payments-kit/');
    async function main() {
      const { misledForms } = await import('./${name}');
      const [late, ended] = [await createTestWorld(), await createTestWorld()];
      await ended.end();
      console.log(JSON.stringify([
        await misledForms(late.nextEvent, 1, isOfPackage),
        await misledForms(ended.nextEvent, 60_000, isOfPackage),
      ]));
      await late.end();
    }
    main();`;
  const file = `waits.${extension}`;
  await writeFile(path.join(client.dir, file), program);
  const { secret } = await newKey();
  const options = { cwd: client.dir, env: { PG_BASE_URL: baseUrl, PG_KEY: secret } };
  const { stdout } = await runCommand(process.execPath, [file], options);
  expect(JSON.parse(stdout)).toEqual([{}, {}]);
});

describeInBrowser('the package in a browser', (browser) => {
  test('is bundled for it, takes a payment and verifies its webhook', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [path.join(PROGRAMS, 'browser-program.ts')],
      nodePaths: [path.join(client.dir, 'node_modules')],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'browser',
    });
    expect(Object.keys(metafile.inputs).map((file) => path.basename(file))).toEqual([
      'index.js',
      'browser-program.ts',
    ]);
    const page = await browser.newPage();
    const { complaints } = watch(page);
    // From the service's own origin: pages of other origins cannot read its responses.
    const shop = `${baseUrl}/shop`;
    await page.route(shop, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Shop</title>' }),
    );
    await page.goto(shop);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    const { secret } = await newKey();
    const bought = await page.evaluate(
      ([address, key]) => (globalThis as unknown as { buy(...args: unknown[]): unknown }).buy(address, key),
      [baseUrl, secret],
    );
    expect(bought).toEqual({
      paid: ['P-000001 succeeded'],
      event: 'payment.succeeded',
      isForgeryRefused: true,
    });
    expect(complaints).toEqual([]);
  });
});
