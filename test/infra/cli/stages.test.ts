import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';

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
}

function stacks(...facts: StackFacts[]): string {
  const members = facts.map(({ name, tags = {}, outputs = {}, isProtected = false }) => {
    const tagged = Object.entries(tags).map(
      ([key, value]) => `<member><Key>${key}</Key><Value>${value}</Value></member>`,
    );
    const told = Object.entries(outputs).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    return `<member><StackName>${name}</StackName><StackId>arn:${name}</StackId><StackStatus>CREATE_COMPLETE</StackStatus>
      <CreationTime>2026-11-18T10:00:00Z</CreationTime>
      <EnableTerminationProtection>${isProtected}</EnableTerminationProtection>
      <Tags>${tagged.join('')}</Tags><Outputs>${told.join('')}</Outputs></member>`;
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

/** A CloudFormation that answers the same to every question, and tells what it was asked to do. */
async function startCloudFormation(answer: string): Promise<{ endpoint: string; actions: string[] }> {
  const actions: string[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const action = String(new URLSearchParams(body).get('Action'));
    actions.push(action);
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
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, actions };
}

const SIGNED_IN = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };

/** @returns what a command says, and how it ends */
async function command(args: readonly string[], env: Readonly<Record<string, string>>) {
  const [file = '', ...rest] = args;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const clean = { PATH, NODE_COMPILE_CACHE, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' };
  return run(process.execPath, [`infra/cli/${file}.ts`, ...rest], { env: { ...clean, ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe.concurrent('a command for stages says in one sentence', () => {
  test('that no region is set', async () => {
    const { code, stderr } = await command(['stacks'], {});
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
    const { code, stderr } = await command(['stacks'], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The AWS credentials are not valid, or not any more: .*\n$/);
  });

  test('that they may not do this', async () => {
    const { endpoint } = await startCloudFormation(DENIED);
    const { stderr } = await command(['stacks'], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
    expect(stderr).toMatch(/^These AWS credentials may not do this: .*\n$/);
  });

  test('that nobody answers', async () => {
    const { stderr } = await command(['stacks'], { ...SIGNED_IN, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
    expect(stderr).toMatch(/does not answer\. .*\n$/);
  });

  test('that the account is not bootstrapped, before anything is built', async () => {
    const { endpoint } = await startCloudFormation(NO_STACK);
    const { code, stderr, stdout } = await command(['deploy', '--stage', 'x'], {
      ...SIGNED_IN,
      AWS_ENDPOINT_URL: endpoint,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^This account and region are not prepared for CDK: run "npx cdk bootstrap [^\n]*\n$/,
    );
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
    stacks({ name: 'payments-blue', outputs: { TableName: tableName } }),
  );
  const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint, AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint };
  const merchant = `m-${randomUUID()}`;
  const onStage = ['--merchant', merchant, '--stack', 'payments-blue', '--json'];
  const made = JSON.parse((await command(['keys', 'create', '--preset', 'owner', ...onStage], env)).stdout);
  expect(actions).toEqual(['DescribeStacks', 'GetCallerIdentity']);
  const audit = JSON.parse((await command(['keys', 'audit', ...onStage], env)).stdout);
  expect(audit).toMatchObject([{ action: 'create', subject: made.id, merchant, actor: ARN }]);
});

test("a stage's table is reached with the region and the credentials of a profile", async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-profile-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = path.join(dir, 'config');
  const keys = 'aws_access_key_id = x\naws_secret_access_key = y\n';
  await writeFile(file, `[profile ops]\nregion = us-east-1\n${keys}`);
  const { tableName, dynamodbEndpoint } = inject('service');
  const { endpoint } = await startCloudFormation(
    stacks({ name: 'payments-blue', outputs: { TableName: tableName } }),
  );
  const { code, stderr } = await command(
    ['keys', 'list', '--merchant', 'nobody', '--stack', 'payments-blue'],
    {
      AWS_PROFILE: 'ops',
      AWS_CONFIG_FILE: file,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
    },
  );
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
    expect(stderr).toContain('payments-production is protected');
    expect(actions).toEqual(['DescribeStacks']);
  });

  test('is not done where nobody said yes', async () => {
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

describe.concurrent('npm run stacks', () => {
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
    const listed = JSON.parse((await command(['stacks', '--json'], env)).stdout);
    expect(listed).toEqual([
      {
        stage: 'blue',
        status: 'CREATE_COMPLETE',
        created_at: '2026-11-18T10:00:00.000Z',
        updated_at: null,
        base_url: 'https://blue.example/api',
      },
    ]);
    const { stdout } = await command(['stacks'], env);
    expect(stdout).toMatch(/^blue +\d+ d +CREATE_COMPLETE +https:\/\/blue\.example\/api\n$/);
  });

  test('says where there is none', async () => {
    const { endpoint } = await startCloudFormation(stacks());
    const { stdout } = await command(['stacks'], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
    expect(stdout).toBe('No stage is deployed here.\n');
  });
});
