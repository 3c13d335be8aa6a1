import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  entryOf,
  FunctionLog,
  FunctionRole,
  PaymentFunction,
} from '../../infra/constructs/payment-function.ts';
import { PaymentTable } from '../../infra/constructs/payment-table.ts';
import { grantsOf } from '../../infra/grants.ts';
import { AS_DEPLOYED, functionNames } from '../support/bundle.ts';

/** What is loaded at every cold start. The SDK alone is about 400 KB of it. */
const BUNDLE_MAX_BYTES = 700_000;

/** Outside of the repository, so that a bundle finds no package but what it brings along. */
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'payments-bundles-'));
  await build({ ...AS_DEPLOYED, entryPoints: functionNames.map(entryOf), outdir: dir });
});

afterAll(() => rm(dir, { recursive: true, force: true }));

test.concurrent.each(functionNames)('%s starts from its bundle alone', async (name) => {
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
    functionNames.map(async (name) => ({ name, bytes: (await stat(bundleOf(name))).size })),
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
  const stack = new Stack(app, 'payments-bundle');
  const keeping = { isProduction: false, removalPolicy: RemovalPolicy.DESTROY };
  const role = new FunctionRole(stack, 'Role', {
    log: new FunctionLog(stack, 'Log', keeping),
    table: new PaymentTable(stack, 'Table', { isProtected: false, ...keeping }),
    grants: grantsOf(name),
  });
  new PaymentFunction(stack, name, { role });
  app.synth();
  const asset = (await readdir(outdir)).find((file) => file.startsWith('asset.')) ?? '';
  const deployed = path.join(outdir, asset, 'index.js');
  expect(await digestOf(deployed)).toBe(await digestOf(bundleOf(name)));
});

function bundleOf(name: string): string {
  return path.join(dir, `${name}.js`);
}

/** The hash of a bundle without its last line, which names its source map. */
async function digestOf(file: string): Promise<string> {
  const code = (await readFile(file, 'utf8')).replace(/\/\/# sourceMappingURL=.*\s*$/, '');
  return createHash('sha256').update(code).digest('hex');
}
