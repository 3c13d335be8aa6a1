// @module-tag nightly
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { startAccountServer } from '../../support/world/account-server.ts';
import {
  ACCESS_DENIED,
  CALLER_ARN,
  NO_STACK,
  runAdmin,
  SIGNED_IN,
  stacks,
  startCloudFormation,
  TOKEN_EXPIRED,
} from './fake-cloud.ts';

describe.concurrent('a command for stages says in one sentence', () => {
  test('that no region is set', async () => {
    const { code, stderr } = await runAdmin(['stages'], {});
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'No AWS region is set: set AWS_REGION, or region in the profile.\n',
    });
  });

  test('that there are no credentials', async () => {
    const { code, stderr } = await runAdmin(['deploy', '--stage', 'x'], { AWS_REGION: 'us-east-1' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^No AWS credentials were found: .*\n$/);
  });

  test('that they have run out', async () => {
    const { endpoint } = await startCloudFormation(TOKEN_EXPIRED);
    const { code, stderr } = await runAdmin(['stages'], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The AWS credentials are invalid or expired: .*\n$/);
  });

  test('that they may not do this', async () => {
    const { endpoint } = await startCloudFormation(ACCESS_DENIED);
    const { stderr } = await runAdmin(['stages'], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
    expect(stderr).toMatch(/^These AWS credentials lack a permission: .*\n$/);
  });

  test('that AWS does not respond', async () => {
    const { stderr } = await runAdmin(['stages'], { ...SIGNED_IN, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
    expect(stderr).toMatch(/does not respond\. .*\n$/);
  });

  test('that the account is not bootstrapped, before anything is built', async () => {
    const { endpoint } = await startCloudFormation(NO_STACK);
    const { code, stderr, stdout } = await runAdmin(['deploy', '--stage', 'x'], {
      ...SIGNED_IN,
      AWS_ENDPOINT_URL: endpoint,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^This account and region are not bootstrapped for CDK: run "npx cdk bootstrap [^\n]*\n$/,
    );
  });

  test('that it is bootstrapped for test stages alone, and how it is for production', async () => {
    const { endpoint } = await startCloudFormation(NO_STACK);
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const { stderr } = await runAdmin(['deploy', '--stage', 'production'], env);
    expect(stderr).toContain('--qualifier payprod --toolkit-stack-name CDKToolkit-payprod" once.');
    expect((await runAdmin(['deploy', '--stage', 'x'], env)).stderr).not.toContain('qualifier');
  });

  test('that a name cannot be one', async () => {
    const { code, stderr } = await runAdmin(['deploy', '--stage', 'Über'], SIGNED_IN);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^A stage is named by .*\n$/);
  });

  test('that a stack of another name has no keys', async () => {
    const { endpoint } = await startCloudFormation(NO_STACK);
    const { stderr } = await runAdmin(['keys', 'list', '--stack', 'payments-x'], {
      ...SIGNED_IN,
      AWS_ENDPOINT_URL: endpoint,
    });
    expect(stderr).toMatch(/^There is no stack "payments-x" in this account and region\..*\n$/);
  });
});

test('a key of a stage is made in its table, and the audit names the caller by ARN', async () => {
  const { tableName, dynamodbEndpoint } = inject('service');
  const { endpoint, actions } = await startCloudFormation(
    stacks({ name: 'payments-blue', outputs: { TableName: tableName, BaseUrl: 'https://blue.example/api' } }),
  );
  const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint, AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint };
  const merchant = `m-${randomUUID()}`;
  const onStage = ['--merchant', merchant, '--stack', 'payments-blue', '--json'];
  const made = JSON.parse((await runAdmin(['keys', 'create', '--preset', 'owner', ...onStage], env)).stdout);
  expect(actions).toEqual(['DescribeStacks', 'GetCallerIdentity']);
  const audit = JSON.parse((await runAdmin(['keys', 'audit', ...onStage], env)).stdout);
  expect(audit).toMatchObject([{ action: 'create', subject: made.id, merchant, actor: CALLER_ARN }]);
});

/** A stage whose table is the service's, and a Stripe that STRIPE_API_URL names. */
async function startStageWithStripe(name: string, baseUrl: string) {
  const { tableName, dynamodbEndpoint } = inject('service');
  const outputs = { TableName: tableName, BaseUrl: baseUrl };
  const { endpoint, secrets } = await startCloudFormation(stacks({ name, outputs }));
  const stripe = await startAccountServer();
  onTestFinished(() => stripe.stop());
  const env = {
    ...SIGNED_IN,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
    STRIPE_API_URL: stripe.origin,
  };
  return { env, secrets, stripe };
}

test("connecting a stage's live world stores its credentials as one secret of that stage", async () => {
  const { env, secrets, stripe } = await startStageWithStripe('payments-blue', 'https://blue.example/api');
  const merchant = `m-${randomUUID()}`;
  const onStage = ['--merchant', merchant, '--stack', 'payments-blue', '--json'];
  const live = ['keys', 'create', '--mode', 'live', '--preset', 'merchant', ...onStage];
  expect((await runAdmin(live, env)).code).toBe(0);
  const connect = async (given: object) =>
    JSON.parse(
      (
        await runAdmin(['providers', 'connect', '--provider', 'stripe', ...onStage], env, {
          input: JSON.stringify(given),
        })
      ).stdout,
    );
  const [first, rolled] = [
    { secret_key: 'sk_test_1' },
    { secret_key: 'sk_test_2', webhook_secret: 'whsec_2' },
  ];
  stripe.open(first.secret_key, 'acct_1');
  stripe.open(rolled.secret_key, 'acct_1');
  const { webhook_url } = await connect(first);
  expect(webhook_url).toMatch(/^https:\/\/blue\.example\/api\/providers\/stripe\/\w{32}$/);
  expect(await connect(rolled)).toMatchObject({ webhook_url, takes_notifications: true });
  const name = `payments-blue/providers/${worldIdOf(merchant, 'live')}`;
  expect([...secrets].map(([each, text]) => [each, JSON.parse(text)])).toEqual([[name, rolled]]);
  expect(JSON.parse((await runAdmin(['providers', 'check', ...onStage], env)).stdout)).toMatchObject({
    webhook_url,
    problem: null,
  });
  secrets.set(name, 'sk_test_2');
  const { code, stdout } = await runAdmin(['providers', 'check', ...onStage], env);
  expect({ code, problem: JSON.parse(stdout).problem }).toEqual({
    code: 1,
    problem: `The secret ${name} is damaged: connect again.`,
  });
  expect((await runAdmin(['providers', 'disconnect', '--yes', ...onStage], env)).code).toBe(0);
  expect([...secrets]).toEqual([]);
});

test('refuses providers commands for a production stack while STRIPE_API_URL is set', async () => {
  const { env, secrets, stripe } = await startStageWithStripe(
    'payments-production',
    'https://pay.example/api',
  );
  const onStage = ['--merchant', `m-${randomUUID()}`, '--stack', 'payments-production'];
  expect(
    (await runAdmin(['keys', 'create', '--mode', 'live', '--preset', 'merchant', ...onStage], env)).code,
  ).toBe(0);
  stripe.open('sk_live_1', 'acct_1');
  for (const args of [['connect', '--provider', 'stripe'], ['check'], ['disconnect', '--yes']]) {
    const given = JSON.stringify({ secret_key: 'sk_live_1' });
    const { code, stderr } = await runAdmin(['providers', ...args, ...onStage], env, { input: given });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "Production uses the providers' own APIs only: unset STRIPE_API_URL for a production stack.\n",
    });
  }
  expect(stripe.requests).toEqual([]);
  expect([...secrets]).toEqual([]);
});

test("a stage's table is reached with the region and the credentials of a profile", async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-profile-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = path.join(dir, 'config');
  const keys = 'aws_access_key_id = x\naws_secret_access_key = y\n';
  await writeFile(file, `[profile ops]\nregion = us-east-1\n${keys}`);
  const { tableName, dynamodbEndpoint } = inject('service');
  const { endpoint } = await startCloudFormation(
    stacks({ name: 'payments-blue', outputs: { TableName: tableName, BaseUrl: 'https://blue.example/api' } }),
  );
  const { code, stderr } = await runAdmin(['keys', 'list', '--stack', 'payments-blue'], {
    AWS_PROFILE: 'ops',
    AWS_CONFIG_FILE: file,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

describe.concurrent('destroying a stage', () => {
  test('that is protected is refused', async () => {
    const { endpoint, actions } = await startCloudFormation(
      stacks({ name: 'payments-production', isProtected: true }),
    );
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const { code, stderr } = await runAdmin(['destroy', '--stage', 'production', '--yes'], env);
    expect(code).toBe(1);
    expect(stderr).toContain('payments-production has termination protection');
    expect(actions).toEqual(['DescribeStacks']);
  });

  test('needs a confirmation', async () => {
    const { endpoint, actions } = await startCloudFormation(stacks({ name: 'payments-x' }));
    const { code, stderr } = await runAdmin(['destroy', '--stage', 'x'], {
      ...SIGNED_IN,
      AWS_ENDPOINT_URL: endpoint,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('--yes');
    expect(actions).toEqual(['DescribeStacks']);
  });

  test('that is not there is done already', async () => {
    const { endpoint, actions } = await startCloudFormation(NO_STACK);
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const { code, stdout } = await runAdmin(['destroy', '--branch', 'feature/x', '--yes'], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^There is no stage "feature-x-[0-9a-f]{6}" here/);
    expect(actions).toEqual(['DescribeStacks']);
  });
});

describe.concurrent('the secrets of a stage that is destroyed', () => {
  const destroyed = async (stage: string, given = stacks({ name: `payments-${stage}` })) => {
    const { endpoint, actions, secrets } = await startCloudFormation(given);
    const others = ['payments-red/providers/1', 'payments-blue-2/providers/1', 'of-somebody-else'];
    for (const name of [`payments-${stage}/providers/1`, `payments-${stage}/providers/2`, ...others]) {
      secrets.set(name, '{}');
    }
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const { code, stderr } = await runAdmin(['destroy', '--stage', stage, '--yes'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(actions.includes('DeleteStack')).toBe(given !== NO_STACK);
    return { left: [...secrets.keys()].filter((name) => !others.includes(name)), others, secrets };
  };

  test('are deleted with it, and no others', async () => {
    const { left, others, secrets } = await destroyed('blue');
    expect(left).toEqual([]);
    expect([...secrets.keys()]).toEqual(others);
  });

  test('are deleted where its stack is gone already', async () => {
    const { left, others, secrets } = await destroyed('blue', NO_STACK);
    expect(left).toEqual([]);
    expect([...secrets.keys()]).toEqual(others);
    expect((await destroyed('production', NO_STACK)).left).toHaveLength(2);
  });

  test('are kept where it was production, as its table is', async () => {
    expect((await destroyed('production')).left).toHaveLength(2);
  });
});

describe.concurrent('pg admin stages', () => {
  test('shows the stages of this service, and no other stack', async () => {
    const { endpoint } = await startCloudFormation(
      stacks(
        {
          name: 'payments-blue',
          tags: { 'payments:stage': 'blue' },
          outputs: { BaseUrl: 'https://blue.example/api' },
        },
        { name: 'payments-of-somebody-else' },
        { name: 'CDKToolkit' },
      ),
    );
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const listed = JSON.parse((await runAdmin(['stages', '--json'], env)).stdout);
    expect(listed).toEqual([
      {
        stage: 'blue',
        status: 'CREATE_COMPLETE',
        created_at: '2026-11-18T10:00:00.000Z',
        updated_at: null,
        base_url: 'https://blue.example/api',
        ...{ branch: null, owner: null, ends_at: null, why_removable: [], held_by: [] },
      },
    ]);
    const { stdout } = await runAdmin(['stages'], env);
    expect(stdout).toMatch(/^blue +\d+ d +CREATE_COMPLETE +https:\/\/blue\.example\/api\n$/);
  });

  test('leaves out a removed stage, which some targets list for ever, and finds none by its name', async () => {
    const gone = { name: 'payments-gone', tags: { 'payments:stage': 'gone' }, status: 'DELETE_COMPLETE' };
    const going = { name: 'payments-going', tags: { 'payments:stage': 'going' }, status: 'DELETE_FAILED' };
    const { endpoint } = await startCloudFormation(stacks(gone, going));
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    expect((await runAdmin(['stages'], env)).stdout).toMatch(/^going +\d+ d +DELETE_FAILED +\n$/);
    const { endpoint: alone } = await startCloudFormation(stacks(gone));
    const args = ['keys', 'list', '--merchant', 'acme', '--stack', 'payments-gone'];
    const { code, stderr } = await runAdmin(args, { ...SIGNED_IN, AWS_ENDPOINT_URL: alone });
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no stack "payments-gone"')]);
  });

  test('says where there is none', async () => {
    const { endpoint } = await startCloudFormation(stacks());
    const { stdout } = await runAdmin(['stages'], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
    expect(stdout).toBe('No stage is deployed here.\n');
  });
});
