import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

/*
 * What AWS answers to the commands for stages: the edge of the world. Every answer is one that AWS's API has.
 */

export const NO_STACK = `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>
<Message>Stack with id payments-x does not exist</Message></Error></ErrorResponse>`;
export const ACCESS_DENIED = `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code>
<Message>User: arn:aws:iam::123456789012:user/x is not authorized</Message></Error></ErrorResponse>`;
export const TOKEN_EXPIRED = `<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredToken</Code>
<Message>The security token included in the request is expired</Message></Error></ErrorResponse>`;

export const CALLER_ARN = 'arn:aws:sts::123456789012:assumed-role/operators/ann';
const CALLER = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
  <Arn>${CALLER_ARN}</Arn><UserId>AROA:ann</UserId><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`;

interface FakeStack {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly isProtected?: boolean;
  /** Default: CREATE_COMPLETE. */
  readonly status?: string;
  /** Default: a day in November 2026. */
  readonly updatedAt?: string;
}

export function stacks(...given: FakeStack[]): string {
  const members = given.map((stack) => {
    const { name, tags = {}, outputs = {}, isProtected = false, status = 'CREATE_COMPLETE' } = stack;
    const tagged = Object.entries(tags).map(
      ([key, value]) => `<member><Key>${key}</Key><Value>${value}</Value></member>`,
    );
    const shown = Object.entries(outputs).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    const updated = stack.updatedAt && `<LastUpdatedTime>${stack.updatedAt}</LastUpdatedTime>`;
    return `<member><StackName>${name}</StackName><StackId>arn:${name}</StackId><StackStatus>${status}</StackStatus>
      <CreationTime>2026-11-18T10:00:00Z</CreationTime>${updated ?? ''}
      <EnableTerminationProtection>${isProtected}</EnableTerminationProtection>
      <Tags>${tagged.join('')}</Tags><Outputs>${shown.join('')}</Outputs></member>`;
  });
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>
    <Stacks>${members.join('')}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

/** What an account has, beside its stacks. */
interface FakeAccount {
  /** The template of what is deployed. */
  readonly template?: object;
  /** What the stack that is asked for could not delete: the name of a bucket, and why. */
  readonly held?: readonly [id: string, reason: string];
  /** How many more runs of functions may be reserved or used; without it, nobody may ask. */
  readonly unreserved?: number;
  /** Of 1,000; without it, nobody may ask. */
  readonly roles?: number;
}

interface FakeCloud {
  readonly endpoint: string;
  /** What was asked for, but of Secrets Manager. */
  readonly actions: string[];
  /** The stacks whose deletion was asked for, by their ids. */
  readonly deleted: string[];
  readonly secrets: Map<string, string>;
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/**
 * A CloudFormation that gives the same response to every request for stacks until it is to delete one, and records the
 * actions that it receives; the other services of the account are beside it.
 */
export async function startCloudFormation(given: string, account: FakeAccount = {}): Promise<FakeCloud> {
  const actions: string[] = [];
  const deleted: string[] = [];
  const secrets = new Map<string, string>();
  let answer = given;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const json = answerAsJson(request, body, secrets, account);
    if (json !== null) {
      const isRefused = '__type' in json;
      response.writeHead(isRefused ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(json));
      return;
    }
    const form = new URLSearchParams(body);
    const action = String(form.get('Action'));
    actions.push(action);
    if (action === 'DeleteStack') {
      deleted.push(String(form.get('StackName')));
      answer = account.held === undefined ? NO_STACK : answer;
    }
    const xml = action === 'DescribeStacks' ? answer : answerAsXml(action, account);
    response.writeHead(xml.includes('<ErrorResponse>') ? 400 : 200, { 'Content-Type': 'text/xml' }).end(xml);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, actions, deleted, secrets };
}

function answerAsXml(action: string, { template, held, roles }: FakeAccount): string {
  switch (action) {
    case 'DeleteStack':
      return '<DeleteStackResponse/>';
    case 'GetCallerIdentity':
      return CALLER;
    case 'GetTemplate': {
      const body = JSON.stringify(template ?? {}).replaceAll('"', '&quot;');
      return `<GetTemplateResponse><GetTemplateResult><TemplateBody>${body}</TemplateBody></GetTemplateResult></GetTemplateResponse>`;
    }
    case 'ListStackResources': {
      const [id, reason] = held ?? [];
      const listed = `<member>
        <LogicalResourceId>Kept</LogicalResourceId><PhysicalResourceId>${id}</PhysicalResourceId>
        <ResourceType>AWS::S3::Bucket</ResourceType><ResourceStatus>DELETE_FAILED</ResourceStatus>
        <ResourceStatusReason>${reason}</ResourceStatusReason></member>`;
      return `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>${
        held === undefined ? '' : listed
      }</StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>`;
    }
    case 'GetAccountSummary':
      return roles === undefined
        ? ACCESS_DENIED
        : `<GetAccountSummaryResponse><GetAccountSummaryResult><SummaryMap>
          <entry><key>Roles</key><value>${roles}</value></entry><entry><key>RolesQuota</key><value>1000</value></entry>
          </SummaryMap></GetAccountSummaryResult></GetAccountSummaryResponse>`;
    default:
      return ACCESS_DENIED;
  }
}

/** @returns null for a service that speaks XML */
function answerAsJson(
  { url, headers }: IncomingMessage,
  body: string,
  secrets: Map<string, string>,
  { unreserved }: FakeAccount,
): object | null {
  const target = String(headers['x-amz-target'] ?? '');
  if (target.startsWith('secretsmanager.')) {
    return answerOfSecrets(secrets, target, JSON.parse(body));
  }
  if (url === '/_localstack/health') {
    return { services: {} };
  }
  if (url === '/account') {
    // Of API Gateway: after all that is checked before a deployment.
    return { __type: 'AccessDeniedException', message: 'not authorized' };
  }
  if (url?.includes('account-settings')) {
    return unreserved === undefined
      ? { __type: 'AccessDeniedException', message: 'not authorized' }
      : { AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: unreserved } };
  }
  return null;
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

export const SIGNED_IN = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };

/**
 * Runs a command of operators: `pg admin …`.
 * @returns what it says, and how it ends
 */
export async function runAdmin(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { input = '', cwd = process.cwd() }: { readonly input?: string; readonly cwd?: string } = {},
) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const clean = { PATH, NODE_COMPILE_CACHE, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' };
  const program = `${process.cwd()}/infra/pg/pg.ts`;
  const running = promisify(execFile)(process.execPath, [program, 'admin', ...args], {
    cwd,
    env: { ...clean, ...env },
  });
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}
