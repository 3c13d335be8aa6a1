import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  FunctionLog,
  FunctionRole,
  PaymentFunction,
} from '../../../infra/aws/constructs/payment-function.ts';
import { tableOf } from '../../../infra/aws/constructs/payment-table.ts';
import { grantsOf } from '../../../infra/aws/grants.ts';
import { toEvent } from '../../../infra/local/server.ts';
import { AS_DEPLOYED, functionFiles, functionNames } from '../../support/tools/bundle.ts';
import { newKey } from '../../support/world/merchant.ts';

/** What is loaded at every cold start. Of the SDK it is 220 KB, of OpenTelemetry's API 10. */
const BUNDLE_MAX_BYTES = 570_000;

/** Outside of the repository, so that a bundle finds only the packages that it contains. */
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'payments-bundles-'));
  await build({ ...AS_DEPLOYED, entryPoints: functionFiles, outdir: dir });
});

afterAll(() => rm(dir, { recursive: true, force: true }));

test.concurrent.each(functionNames)('%s starts from its bundle alone', async (name) => {
  const script = `console.log(typeof (await import(${JSON.stringify(bundleOf(name))})).handler)`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { cwd: dir, env: { TABLE_NAME: 'payments', AWS_REGION: 'us-east-1' } },
  );
  expect({ stdout, stderr }).toEqual({ stdout: 'function\n', stderr: '' });
});

test('a payment that a bundle created is stored', async () => {
  const { secret } = await newKey();
  const { answer } = await createPayment(secret, {
    ...LAMBDA,
    AWS_ENDPOINT_URL_DYNAMODB: inject('service').dynamodbEndpoint,
    TABLE_NAME: inject('service').tableName,
  });
  expect(answer.statusCode).toBe(201);
  const made = JSON.parse(answer.body);
  const read = await fetch(`${inject('service').baseUrl}/api/v1/payments/${made.id}`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  expect(await read.json()).toEqual(made);
});

test('the trace that a bundle logs names files and lines of this repository', async () => {
  const { secret } = await newKey();
  const { answer, errors } = await createPayment(secret, { ...LAMBDA, TABLE_NAME: '' });
  expect(answer.statusCode).toBe(500);
  const stack: string[] = JSON.parse(errors).error.stack;
  const frames = stack.map((line) => /^at (?:.*\/)?((?:shared|functions)\/.*\.ts):(\d+):\d+$/.exec(line));
  const [, file = '', line] = frames.find((frame) => frame !== null) ?? [];
  const source = await readFile(file, 'utf8');
  expect(source.split('\n')[Number(line) - 1]).toContain('is not set');
});

test('a line of a bundle has the invocation, and the ids of its trace', async () => {
  const { secret } = await newKey();
  const { errors } = await createPayment(secret, { ...LAMBDA, TABLE_NAME: '' });
  expect(JSON.parse(errors)).toMatchObject({
    cold_start: true,
    function_name: 'payments-create-payment',
    function_request_id: 'invocation-1',
    xray_trace_id: '1-5759e988-bd862e3fe1be46a994272793',
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test('only live mode loads the code that calls providers or reads their secrets', async () => {
  const outfile = path.join(dir, 'provider-for.js');
  const noticed = 'globalThis.ran = true;';
  const files = /shared\/(store\/worlds\/secrets-manager|providers\/stripe\/[\w-]+)\.ts$/;
  await build({
    ...AS_DEPLOYED,
    entryPoints: ['shared/flows/provider-for.ts'],
    outfile,
    plugins: [
      {
        name: 'noticed',
        setup: ({ onLoad }) => {
          onLoad({ filter: files }, async ({ path: file }) => ({
            contents: `${noticed}\n${await readFile(file, 'utf8')}`,
            loader: 'ts',
          }));
        },
      },
    ],
  });
  const ranFor = async (world: object) => {
    const script = `
      const { providerFor } = await import(${JSON.stringify(outfile)});
      await providerFor(${JSON.stringify({ id: 'x', ...world })}).catch(() => undefined);
      console.log(globalThis.ran === true);
      process.exit();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { cwd: dir, env: { ...LAMBDA, AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:9' } },
    );
    return stdout.trim();
  };
  const provider = { kind: 'stripe', connectedAtMs: 1 };
  expect(await ranFor({ mode: 'test', provider })).toBe('false');
  expect(await ranFor({ mode: 'live', provider: null })).toBe('false');
  expect(await ranFor({ mode: 'live', provider })).toBe('true');
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
    table: tableOf(stack, { isProtected: false, ...keeping }),
    grants: grantsOf(name),
    talksToProvider: false,
  });
  new PaymentFunction(stack, name, { role, log: new FunctionLog(stack, 'Log', keeping) });
  app.synth();
  const asset = (await readdir(outdir)).find((file) => file.startsWith('asset.')) ?? '';
  const deployed = path.join(outdir, asset, 'index.js');
  expect(await digestOf(deployed)).toBe(await digestOf(bundleOf(name)));
});

/** What Lambda puts into the environment of each function. */
const LAMBDA = {
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_FUNCTION_NAME: 'payments-create-payment',
  _X_AMZN_TRACE_ID: 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  TABLE_NAME: 'payments',
};

/** Calls the bundle of `create-payment` in a process of its own. */
async function createPayment(secret: string, env: Readonly<Record<string, string>>) {
  const headersDistinct = {
    authorization: [`Bearer ${secret}`],
    'idempotency-key': [randomUUID()],
    'content-type': ['application/json'],
  };
  const body = Buffer.from('{"amount":{"currency":"THB","minor":129900},"method":"promptpay"}');
  const url = new URL('http://127.0.0.1/api/v1/payments');
  const event = toEvent({ method: 'POST', headersDistinct }, url, null, body);
  const script = `
    const { handler } = await import(${JSON.stringify(bundleOf('create-payment'))});
    const answer = await handler(${JSON.stringify(event)}, {
      functionName: 'payments-create-payment',
      awsRequestId: 'invocation-1',
      getRemainingTimeInMillis: () => 10_000,
    });
    console.log('answer', JSON.stringify(answer));
    process.exit();`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: dir, env });
  const [, answer = ''] = /^answer (.*)$/m.exec(stdout) ?? [];
  return { answer: JSON.parse(answer) as { statusCode: number; body: string }, errors: stderr };
}

function bundleOf(name: string): string {
  return path.join(dir, `${name}.js`);
}

async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
