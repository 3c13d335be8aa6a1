// @module-tag nightly
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { startAccountServer } from '../../support/world/account-server.ts';

const run = promisify(execFile);

/** What CloudFormation answers to DescribeStacks: the edge of the world. */
const NO_STACK = `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>
<Message>Stack with id payments-x does not exist</Message></Error></ErrorResponse>`;
const DENIED = `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code>
<Message>User: arn:aws:iam::123456789012:user/x is not authorized</Message></Error></ErrorResponse>`;
const EXPIRED = `<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredToken</Code>
<Message>The security token included in the request is expired</Message></Error></ErrorResponse>`;

/** What STS answers to GetCallerIdentity. */
const ARN = 'arn:aws:sts::123456789012:assumed-role/operators/ann';
const CALLER = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
  <Arn>${ARN}</Arn><UserId>AROA:ann</UserId><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`;

interface StackFacts {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly isProtected?: boolean;
  /** Default: CREATE_COMPLETE. */
  readonly status?: string;
}

function stacks(...facts: StackFacts[]): string {
  const members = facts.map((stack) => {
    const { name, tags = {}, outputs = {}, isProtected = false, status = 'CREATE_COMPLETE' } = stack;
    const tagged = Object.entries(tags).map(
      ([key, value]) => `<member><Key>${key}</Key><Value>${value}</Value></member>`,
    );
    const shown = Object.entries(outputs).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    return `<member><StackName>${name}</StackName><StackId>arn:${name}</StackId><StackStatus>${status}</StackStatus>
      <CreationTime>2026-11-18T10:00:00Z</CreationTime>
      <EnableTerminationProtection>${isProtected}</EnableTerminationProtection>
      <Tags>${tagged.join('')}</Tags><Outputs>${shown.join('')}</Outputs></member>`;
  });
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>
    <Stacks>${members.join('')}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/**
 * A CloudFormation that gives the same response to every request until it is to delete a stack, and records the actions
 * that it receives; a Secrets Manager is beside it.
 */
async function startCloudFormation(
  given: string,
): Promise<{ endpoint: string; actions: string[]; secrets: Map<string, string> }> {
  const actions: string[] = [];
  const secrets = new Map<string, string>();
  let answer = given;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const target = String(request.headers['x-amz-target'] ?? '');
    if (target.startsWith('secretsmanager.')) {
      const said = answerOfSecrets(secrets, target, JSON.parse(body));
      response.writeHead('__type' in said ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(said));
      return;
    }
    const action = String(new URLSearchParams(body).get('Action'));
    actions.push(action);
    if (action === 'DeleteStack') {
      answer = NO_STACK;
      response.writeHead(200, { 'Content-Type': 'text/xml' }).end('<DeleteStackResponse/>');
      return;
    }
    if (action === 'GetCallerIdentity') {
      response.writeHead(200, { 'Content-Type': 'text/xml' }).end(CALLER);
      return;
    }
    response
      .writeHead(answer.includes('<ErrorResponse>') ? 400 : 200, { 'Content-Type': 'text/xml' })
      .end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, actions, secrets };
}

/** The responses of Secrets Manager to the calls of these commands. */
function answerOfSecrets(
  secrets: Map<string, string>,
  target: string,
  requests: { SecretId?: string; Name?: string; SecretString?: string },
): object {
  const { SecretId = '', Name = '', SecretString = '' } = requests;
  const action = target.replace('secretsmanager.', '');
  if (action === 'ListSecrets') {
    return { SecretList: [...secrets.keys()].map((name) => ({ Name: name })) };
  }
  if (action !== 'CreateSecret' && !secrets.has(SecretId)) {
    return {
      __type: 'ResourceNotFoundException',
      Message: "Secrets Manager can't find the specified secret.",
    };
  }
  switch (action) {
    case 'CreateSecret':
      secrets.set(Name, SecretString);
      break;
    case 'PutSecretValue':
      secrets.set(SecretId, SecretString);
      break;
    case 'DeleteSecret':
      secrets.delete(SecretId);
      break;
  }
  return { Name: SecretId || Name, SecretString: secrets.get(SecretId) };
}

const SIGNED_IN = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };

/** @returns what a command says, and how it ends */
async function command(args: readonly string[], env: Readonly<Record<string, string>>, input = '') {
  const [file = '', ...rest] = args;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const clean = { PATH, NODE_COMPILE_CACHE, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' };
  const running = run(process.execPath, ['infra/pg/pg.ts', 'admin', file, ...rest], {
    env: { ...clean, ...env },
  });
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe.concurrent('a command for stages says in one sentence', () => {
  test('that no region is set', async () => {
    const { code, stderr } = await command(['stages'], {});
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'No AWS region is set: set AWS_REGION, or region in the profile.\n',
    });
  });

  test('that there are no credentials', async () => {
    const { code, stderr } = await command(['deploy', '--stage', 'x'], { AWS_REGION: 'us-east-1' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^No AWS credentials were found: .*\n$/);
  });

  test('that they have run out', async () => {
    const { endpoint } = await startCloudFormation(EXPIRED);
    const { code, stderr } = await command(['stages'], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The AWS credentials are invalid or expired: .*\n$/);
  });

  test('that they may not do this', async () => {
    const { endpoint } = await startCloudFormation(DENIED);
    const { stderr } = await command(['stages'], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
    expect(stderr).toMatch(/^These AWS credentials lack a permission: .*\n$/);
  });

  test('that AWS does not respond', async () => {
    const { stderr } = await command(['stages'], { ...SIGNED_IN, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
    expect(stderr).toMatch(/does not respond\. .*\n$/);
  });

  test('that the account is not bootstrapped, before anything is built', async () => {
    const { endpoint } = await startCloudFormation(NO_STACK);
    const { code, stderr, stdout } = await command(['deploy', '--stage', 'x'], {
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
    const { stderr } = await command(['deploy', '--stage', 'production'], env);
    expect(stderr).toContain('--qualifier payprod --toolkit-stack-name CDKToolkit-payprod" once.');
    expect((await command(['deploy', '--stage', 'x'], env)).stderr).not.toContain('qualifier');
  });

  test('that a name cannot be one', async () => {
    const { code, stderr } = await command(['deploy', '--stage', 'Über'], SIGNED_IN);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^A stage is named by .*\n$/);
  });

  test('that a stack of another name has no keys', async () => {
    const { endpoint } = await startCloudFormation(NO_STACK);
    const { stderr } = await command(['keys', 'list', '--stack', 'payments-x'], {
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
  const made = JSON.parse((await command(['keys', 'create', '--preset', 'owner', ...onStage], env)).stdout);
  expect(actions).toEqual(['DescribeStacks', 'GetCallerIdentity']);
  const audit = JSON.parse((await command(['keys', 'audit', ...onStage], env)).stdout);
  expect(audit).toMatchObject([{ action: 'create', subject: made.id, merchant, actor: ARN }]);
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
  expect((await command(live, env)).code).toBe(0);
  const connect = async (given: object) =>
    JSON.parse(
      (
        await command(
          ['providers', 'connect', '--provider', 'stripe', ...onStage],
          env,
          JSON.stringify(given),
        )
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
  expect(JSON.parse((await command(['providers', 'check', ...onStage], env)).stdout)).toMatchObject({
    webhook_url,
    problem: null,
  });
  secrets.set(name, 'sk_test_2');
  const { code, stdout } = await command(['providers', 'check', ...onStage], env);
  expect({ code, problem: JSON.parse(stdout).problem }).toEqual({
    code: 1,
    problem: `The secret ${name} is damaged: connect again.`,
  });
  expect((await command(['providers', 'disconnect', '--yes', ...onStage], env)).code).toBe(0);
  expect([...secrets]).toEqual([]);
});

test('refuses providers commands for a production stack while STRIPE_API_URL is set', async () => {
  const { env, secrets, stripe } = await startStageWithStripe(
    'payments-production',
    'https://pay.example/api',
  );
  const onStage = ['--merchant', `m-${randomUUID()}`, '--stack', 'payments-production'];
  expect(
    (await command(['keys', 'create', '--mode', 'live', '--preset', 'merchant', ...onStage], env)).code,
  ).toBe(0);
  stripe.open('sk_live_1', 'acct_1');
  for (const args of [['connect', '--provider', 'stripe'], ['check'], ['disconnect', '--yes']]) {
    const given = JSON.stringify({ secret_key: 'sk_live_1' });
    const { code, stderr } = await command(['providers', ...args, ...onStage], env, given);
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
  const { code, stderr } = await command(['keys', 'list', '--stack', 'payments-blue'], {
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
    const { code, stderr } = await command(['destroy', '--stage', 'production', '--yes'], env);
    expect(code).toBe(1);
    expect(stderr).toContain('payments-production has termination protection');
    expect(actions).toEqual(['DescribeStacks']);
  });

  test('needs a confirmation', async () => {
    const { endpoint, actions } = await startCloudFormation(stacks({ name: 'payments-x' }));
    const { code, stderr } = await command(['destroy', '--stage', 'x'], {
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
    const { code, stdout } = await command(['destroy', '--branch', 'feature/x', '--yes'], env);
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
    const { code, stderr } = await command(['destroy', '--stage', stage, '--yes'], env);
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
    const listed = JSON.parse((await command(['stages', '--json'], env)).stdout);
    expect(listed).toEqual([
      {
        stage: 'blue',
        status: 'CREATE_COMPLETE',
        created_at: '2026-11-18T10:00:00.000Z',
        updated_at: null,
        base_url: 'https://blue.example/api',
      },
    ]);
    const { stdout } = await command(['stages'], env);
    expect(stdout).toMatch(/^blue +\d+ d +CREATE_COMPLETE +https:\/\/blue\.example\/api\n$/);
  });

  test('leaves out a removed stage, which some targets list for ever, and finds none by its name', async () => {
    const gone = { name: 'payments-gone', tags: { 'payments:stage': 'gone' }, status: 'DELETE_COMPLETE' };
    const going = { name: 'payments-going', tags: { 'payments:stage': 'going' }, status: 'DELETE_FAILED' };
    const { endpoint } = await startCloudFormation(stacks(gone, going));
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    expect((await command(['stages'], env)).stdout).toMatch(/^going +\d+ d +DELETE_FAILED +\n$/);
    const { endpoint: alone } = await startCloudFormation(stacks(gone));
    const args = ['keys', 'list', '--merchant', 'acme', '--stack', 'payments-gone'];
    const { code, stderr } = await command(args, { ...SIGNED_IN, AWS_ENDPOINT_URL: alone });
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no stack "payments-gone"')]);
  });

  test('says where there is none', async () => {
    const { endpoint } = await startCloudFormation(stacks());
    const { stdout } = await command(['stages'], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
    expect(stdout).toBe('No stage is deployed here.\n');
  });
});
