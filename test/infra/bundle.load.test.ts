import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUNDLING, entryOf, PaymentFunction } from '../../infra/constructs/payment-function.ts';
import { functionNameOf } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { UNKNOWN_ROUTE_FUNCTION } from '../../shared/contract/routes.ts';

/** What is loaded at every cold start. The SDK alone is about 400 KB of it. */
const BUNDLE_MAX_BYTES = 700_000;

const WORKERS = ['workers/clock-tick', 'workers/job-runner'];
const names = [...allOperations.map(functionNameOf), UNKNOWN_ROUTE_FUNCTION, ...WORKERS];
/** Outside of the repository, so that a bundle finds no package but what it brings along. */
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'payments-bundles-'));
  await build({
    ...toEsbuild(BUNDLING),
    entryPoints: names.map(entryOf),
    outdir: dir,
    outExtension: { '.js': '.mjs' },
  });
});

afterAll(() => rm(dir, { recursive: true, force: true }));

test.concurrent.each(names)('%s starts from its bundle alone', async (name) => {
  const script = `console.log(typeof (await import(${JSON.stringify(bundleOf(name))})).handler)`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--enable-source-maps', '--input-type=module', '--eval', script],
    { cwd: dir, env: { TABLE_NAME: 'payments', AWS_REGION: 'us-east-1' } },
  );
  expect({ stdout, stderr }).toEqual({ stdout: 'function\n', stderr: '' });
});

test('every function is small enough to start fast', async () => {
  const sizes = await Promise.all(
    names.map(async (name) => ({ name, bytes: (await stat(bundleOf(name))).size })),
  );
  sizes.sort((a, b) => b.bytes - a.bytes);
  console.log(
    sizes.map(({ name, bytes }) => `${(bytes / 1_000).toFixed(0).padStart(5)} KB  ${name}`).join('\n'),
  );
  expect(sizes[0]?.bytes).toBeLessThanOrEqual(BUNDLE_MAX_BYTES);
});

test('the stack deploys these very bundles', async () => {
  const outdir = path.join(dir, 'cdk.out');
  const app = new App({ outdir });
  const name = 'get-payment';
  new PaymentFunction(new Stack(app, 'payments-bundle'), name, { removalPolicy: RemovalPolicy.DESTROY });
  app.synth();
  const asset = (await readdir(outdir)).find((file) => file.startsWith('asset.')) ?? '';
  const deployed = path.join(outdir, asset, 'index.mjs');
  expect(await digestOf(deployed)).toBe(await digestOf(bundleOf(name)));
});

function bundleOf(name: string): string {
  return path.join(dir, `${name}.mjs`);
}

/** The hash of a bundle without its last line, which names its source map. */
async function digestOf(file: string): Promise<string> {
  const code = (await readFile(file, 'utf8')).replace(/\/\/# sourceMappingURL=.*\s*$/, '');
  return createHash('sha256').update(code).digest('hex');
}

/** CDK's names of esbuild's options. */
function toEsbuild(bundling: typeof BUNDLING): BuildOptions {
  const { externalModules, sourceMap, ...same } = bundling;
  return { ...same, external: externalModules, sourcemap: sourceMap, bundle: true, platform: 'node' };
}
