import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { loadFunction } from '../../infra/local/function.ts';
import { runGranted } from '../../infra/local/guard.ts';
import { functionNameOf } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { overHttp } from '../../shared/flows/smoke/smoke-call.ts';
import { SMOKE_PERMISSIONS } from '../../shared/flows/smoke/smoke-payment.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';

/* The functions of `functions/rollout/` with the clients of AWS that they have, before a stand-in of three services. */

const ON_TRIAL = [operations.createPayment, operations.actOnCheckout, operations.cancelRefund].map(
  functionNameOf,
);
const EVENT = { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook-1' };
const NOON_MS = Date.parse('2026-11-30T12:00:00Z');

const aws = { secret: '', reports: [] as object[], invoked: [] as string[], broken: '' };

const server = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  const target = String(request.headers['x-amz-target'] ?? '');
  const answer = async () => {
    if (target === 'secretsmanager.GetSecretValue') {
      return { SecretString: aws.secret };
    }
    if (target.endsWith('.PutLifecycleEventHookExecutionStatus')) {
      aws.reports.push(body);
      return {};
    }
    const [, name = ''] = decodeURIComponent(String(request.url)).split(':');
    aws.invoked.push(name);
    if (name === aws.broken) {
      response.setHeader('x-amz-function-error', 'Unhandled');
      return { errorType: 'Runtime.ImportModuleError' };
    }
    return (await loadFunction<object, object>(name))(body);
  };
  response.end(JSON.stringify(await answer()));
});

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { secret: key } = await newKey({ permissions: SMOKE_PERMISSIONS });
  aws.secret = JSON.stringify({ key, baseUrl });
});

beforeEach(() => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const service of ['SECRETS_MANAGER', 'LAMBDA', 'CODEDEPLOY']) {
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, address);
  }
  vi.stubEnv(VARIABLES.smokeKey, 'payments-test/smoke-key');
  vi.stubEnv(
    VARIABLES.newVersions,
    JSON.stringify(Object.fromEntries(ON_TRIAL.map((name) => [name, `arn:${name}:7`]))),
  );
  Object.assign(aws, { reports: [], invoked: [], broken: '' });
});

afterAll(() => server.close());

async function check(): Promise<void> {
  const { handler } = await import('../../functions/rollout/check-new-versions.ts');
  await runGranted('rollout/check-new-versions', () => handler(EVENT, {} as Context));
}

test('the function of smoke payments takes one with the key of its secret', async () => {
  // At another time of day, it would empty the world of smoke payments, too.
  vi.useFakeTimers({ toFake: ['Date'], now: NOON_MS });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { key } = JSON.parse(aws.secret);
  const list = async () =>
    JSON.parse((await overHttp(baseUrl, key)(operations.listPayments)).text).data as { status: string }[];
  const before = await list();
  const { handler } = await import('../../functions/rollout/smoke.ts');
  await runGranted('rollout/smoke', () => handler({}, {} as Context));
  const after = await list();
  expect(after).toHaveLength(before.length + 1);
  expect(after[0]).toMatchObject({ status: 'succeeded' });
});

test('CodeDeploy hears that new versions may get calls where all start and take a payment', async () => {
  await check();
  expect(aws.reports).toEqual([
    { deploymentId: 'd-1', lifecycleEventHookExecutionId: 'hook-1', status: 'Succeeded' },
  ]);
  expect(new Set(aws.invoked)).toEqual(new Set(ON_TRIAL));
});

test.each(ON_TRIAL)(
  'CodeDeploy hears that new versions are refused where %s does not start',
  async (name) => {
    aws.broken = name;
    await check();
    expect(aws.reports).toMatchObject([{ status: 'Failed' }]);
  },
);
