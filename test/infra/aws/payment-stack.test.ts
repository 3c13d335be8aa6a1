import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, type CfnElement } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { readBaseUrl } from '../../../infra/aws/base-url.ts';
import { RECEIVERS_AT_ONCE, RESERVED } from '../../../infra/aws/constructs/clock-and-jobs.ts';
import { entryOf as codeOf, PaymentFunction } from '../../../infra/aws/constructs/payment-function.ts';
import { PaymentStack } from '../../../infra/aws/payment-stack.ts';
import { BASE_URL_VARIABLE } from '../../../shared/contract/base-url.ts';
import {
  BUS_NAME_VARIABLE,
  JOB_RUNNER_TIMEOUT_SECONDS,
  LIVE_JOBS_DUE,
  RECEIVER_DUE,
  TICK_MINUTES,
  WAKING_KINDS,
  WORLD_DUE,
} from '../../../shared/contract/bus.ts';
import {
  FUNCTION_TIMEOUT_SECONDS,
  functionNameOf,
  type Operation,
} from '../../../shared/contract/operation.ts';
import { allOperations } from '../../../shared/contract/operations.ts';
import { paymentOperations } from '../../../shared/contract/payments.ts';
import { methodsOf, UNKNOWN_ROUTE_FUNCTION } from '../../../shared/contract/routes.ts';
import { GATEWAY_VARIABLE, STAND_IN_BINARY_TYPES } from '../../../shared/contract/stand-in-gateway.ts';
import { TEST_KIT_VARIABLE } from '../../../shared/contract/test-kit.ts';
import { MODES } from '../../../shared/domain/world.ts';
import { entryOf, isErrorCode } from '../../../shared/errors/catalogue.ts';
import { PLACES_MAX } from '../../../shared/store/scheduler/places.ts';
import { DUE_PREFIXES, dueIndex } from '../../../shared/store/table/keys.ts';
import {
  INDEXES,
  type IndexName,
  SECRETS_PREFIX_VARIABLE,
  TABLE,
  TABLE_NAME_VARIABLE,
} from '../../../shared/store/table/table.ts';
import { resourcesOf } from '../../support/tools/resources-of.ts';

/** Where a worker's failures go. */
const REPORTING = 'sqs:SendMessage on the queue';
/** Of functions that call providers. */
const READING_SECRETS = 'secretsmanager:GetSecretValue on the secrets of the stage';
/** All of them: a function that is added here may use the secrets that move money. */
const TALKING_TO_PROVIDERS = [
  'create-payment',
  'cancel-payment',
  'pay-by-link',
  'act-on-checkout',
  'receive-notice',
  'live-job-runner',
];
/** Every kind of response that API Gateway makes itself, and its defaults for new kinds. */
const REFUSALS = {
  BAD_REQUEST_BODY: '400',
  BAD_REQUEST_PARAMETERS: '422',
  UNAUTHORIZED: '401',
  EXPIRED_TOKEN: '401',
  INVALID_SIGNATURE: '401',
  INVALID_API_KEY: '401',
  ACCESS_DENIED: '403',
  WAF_FILTERED: '403',
  RESOURCE_NOT_FOUND: '404',
  MISSING_AUTHENTICATION_TOKEN: '404',
  REQUEST_TOO_LARGE: '413',
  UNSUPPORTED_MEDIA_TYPE: '415',
  THROTTLED: '429',
  QUOTA_EXCEEDED: '429',
  INTEGRATION_FAILURE: '503',
  INTEGRATION_TIMEOUT: '503',
  API_CONFIGURATION_ERROR: '500',
  AUTHORIZER_CONFIGURATION_ERROR: '500',
  AUTHORIZER_FAILURE: '500',
  DEFAULT_4XX: '404',
  DEFAULT_5XX: '500',
};
const OWN_ANSWERS = 'x-amazon-apigateway-gateway-responses';
/** All that API Gateway has. */
const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
/** Of a function with the longest name, in the region with the longest. */
const ARN_CHARS_MAX = 120;
/** A line of the access log is made of these, and of the name of the stack. */
const LOGGED = [
  '$context.requestTime',
  '$context.requestId',
  '$context.extendedRequestId',
  '$context.identity.sourceIp',
  '$context.httpMethod',
  '$context.resourcePath',
  '$context.status',
  '$context.responseLatency',
  '$context.integrationLatency',
  '$context.responseLength',
  '$context.error.responseType',
  '$context.wafResponseCode',
];
/** Resources that keep data after their stage unless they are configured to be deleted. */
const STATEFUL = ['AWS::DynamoDB::Table', 'AWS::Logs::LogGroup', 'AWS::SQS::Queue'];

/** CDK writes its output to a folder, by default a temporary one that it never deletes. */
const outdir = mkdtempSync(path.join(tmpdir(), 'payments-stack-'));
const { stack, template } = synthesize({ isProduction: false });
const production = synthesize({ isProduction: true });
const everyTemplate = [template, production.template];
const functionIds = new Map(
  paymentFunctionsOf(stack).map((child) => [
    child.node.id,
    stack.getLogicalId(child.node.defaultChild as CfnElement),
  ]),
);
const functionNames = [...functionIds.keys()];
const WORKERS = [
  'clock-tick',
  'job-runner',
  'live-dispatcher',
  'live-job-runner',
  'deliverer',
  'live-deliverer',
];
/** The longest invocation, even if something fails in it. */
const TIMEOUT_MAX_SECONDS = 60;
const [tableId = ''] = Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table'));
const [apiId = ''] = Object.keys(resourcesOf(template, 'AWS::ApiGateway::RestApi'));
const [busId = ''] = Object.keys(resourcesOf(template, 'AWS::Events::EventBus'));
const [queueId = '', ...dueIds] = Object.keys(resourcesOf(template, 'AWS::SQS::Queue'));
/** What runs of a mode are started by and done by. */
const BY_MODE = [
  { mode: 'test', runner: 'job-runner', deliverer: 'deliverer', dueId: dueIds[0] ?? '' },
  { mode: 'live', runner: 'live-dispatcher', deliverer: 'live-deliverer', dueId: dueIds[1] ?? '' },
] as const;
const gateway = documentOf(template);
const routes = routesOf(gateway);
const rows = allOperations.map((row) => ({ ...row, name: functionNameOf(row) }));

afterAll(() => rm(outdir, { recursive: true, force: true }));

describe('routes', () => {
  test.each(rows)('$method $path leads to $name alone', ({ name, ...row }) => {
    const leading = [...routes].filter(([, functionId]) => functionId === functionIds.get(name));
    const expected = methodsOf(row).map((method) => [`${method} ${row.path}`, functionIds.get(name)]);
    expect(leading).toEqual(expected);
  });

  test('the fallback answers every path and method without an operation, path prefixes too', () => {
    const onTheWay = rows.flatMap(({ path }) =>
      path.split('/').map((_, depth, segments) => `/${segments.slice(1, depth + 1).join('/')}`),
    );
    const operations = new Set(
      rows.flatMap((row) => methodsOf(row).map((method) => `${method} ${row.path}`)),
    );
    const others = [...new Set(['/', '/{proxy+}', ...onTheWay])].flatMap((path) =>
      METHODS.map((method) => `${method} ${path}`).filter((route) => !operations.has(route)),
    );
    for (const route of others) {
      expect(routes.get(route), route).toBe(functionIds.get(UNKNOWN_ROUTE_FUNCTION));
    }
    expect(routes.size).toBe(operations.size + others.length);
  });

  test('a redeployed stage serves changed routes at the same address', () => {
    const [first, ...rest] = allOperations;
    const changed: readonly Operation[] = [{ ...(first as Operation), method: 'PATCH' }, ...rest];
    const [same, other] = [allOperations, changed].map(
      (served) => synthesize({ isProduction: false, operations: served }).template,
    );
    const idsOf = (each: Template | undefined, type: string) => Object.keys(each?.findResources(type) ?? {});
    expect(idsOf(other, 'AWS::ApiGateway::RestApi')).toEqual([apiId]);
    expect(idsOf(same, 'AWS::ApiGateway::Deployment')).toEqual(
      idsOf(template, 'AWS::ApiGateway::Deployment'),
    );
    expect(idsOf(other, 'AWS::ApiGateway::Deployment')).not.toEqual(
      idsOf(template, 'AWS::ApiGateway::Deployment'),
    );
    // As it was called before it was made of a document: another name would have been another address.
    expect(apiId).toBe('ApiF70053CD');
  });

  test('functions get the bytes that were sent, of any media type', () => {
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      BinaryMediaTypes: ['*/*'],
      Body: Match.objectLike({ 'x-amazon-apigateway-binary-media-types': ['*/*'] }),
      // It would inflate compressed bodies, which the functions refuse.
      MinimumCompressionSize: Match.absent(),
    });
  });

  test('API Gateway requires no credentials of its own', () => {
    expect(Object.keys(gateway).toSorted()).toEqual([
      'info',
      'openapi',
      'paths',
      'x-amazon-apigateway-binary-media-types',
      'x-amazon-apigateway-gateway-responses',
    ]);
    for (const method of Object.values(gateway.paths).flatMap((each) => Object.values(each))) {
      expect(Object.keys(method).toSorted()).toEqual(['responses', 'x-amazon-apigateway-integration']);
    }
  });

  test('each function has one allowed caller: this API, one rule, or the queue that it reads', () => {
    const permissions = Object.values(resourcesOf(template, 'AWS::Lambda::Permission'));
    const allowed = permissions.map(({ Properties }) => idOf(Properties.FunctionName));
    const workers = WORKERS.map((name) => functionIds.get(name));
    const reading = BY_MODE.map(({ deliverer }) => functionIds.get(deliverer));
    expect(allowed.toSorted()).toEqual(workers.filter((id) => !reading.includes(id)).toSorted());
    for (const { Properties } of permissions) {
      expect(Properties.Principal).toBe('events.amazonaws.com');
      expect(Properties.SourceArn).toEqual({
        'Fn::GetAtt': [ruleOf(String(idOf(Properties.FunctionName)))?.id, 'Arn'],
      });
    }

    const integrations = Object.values(gateway.paths)
      .flatMap((each) => Object.values(each))
      .map((method) => method['x-amazon-apigateway-integration']);
    const [caller = '', ...others] = new Set(integrations.map(({ credentials }) => idOf(credentials)));
    expect(others).toEqual([]);
    const statements = statementsOfRole(caller);
    expect(statements.map(({ actions }) => actions)).toEqual(statements.map(() => ['lambda:InvokeFunction']));
    expect(
      statements
        .flatMap(({ arns }) => arns)
        .map((arn) => idOf(arn as object))
        .toSorted(),
    ).toEqual([...functionIds.values()].filter((id) => !workers.includes(id)).toSorted());
    for (const [id, { Properties }] of Object.entries(resourcesOf(template, 'AWS::IAM::Role'))) {
      expect(Properties.AssumeRolePolicyDocument.Statement, id).toEqual([
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRole',
          Principal: { Service: id === caller ? 'apigateway.amazonaws.com' : 'lambda.amazonaws.com' },
        },
      ]);
    }
  });
});

describe('the base URL of the service', () => {
  const elsewhere = synthesize({
    isProduction: false,
    baseUrl: 'http://127.0.0.1:4566/restapis/{apiId}/api/_user_request_',
  });
  const deliveringOf = ({ template: given }: ReturnType<typeof synthesize>) =>
    Object.values(resourcesOf(given, 'AWS::Lambda::Function'))
      .map(({ Properties }) => Properties.Environment?.Variables[BASE_URL_VARIABLE])
      .filter((address) => address !== undefined);
  const stageOf = ({ template: given }: ReturnType<typeof synthesize>) =>
    Object.values(resourcesOf(given, 'AWS::ApiGateway::Stage'))[0]?.Properties.Variables;
  const outputOf = ({ template: given }: ReturnType<typeof synthesize>) =>
    given.findOutputs('BaseUrl').BaseUrl?.Value;

  test('comes from API Gateway for operations, and from the stack for workers', () => {
    expect(stageOf({ stack, template })).toBeUndefined();
    const address = outputOf({ stack, template });
    expect(deliveringOf({ stack, template })).toEqual(WORKERS.slice(1).map(() => address));
    expect(JSON.stringify(outputOf({ stack, template }))).toContain('.execute-api.');
  });

  test('can be configured, and then is the same for operations, workers and outputs', () => {
    const [address] = deliveringOf(elsewhere);
    expect(JSON.stringify(address)).toMatch(/restapis\/".*"\/api\/_user_request_/);
    expect(stageOf(elsewhere)).toEqual({ [BASE_URL_VARIABLE]: address });
    expect(outputOf(elsewhere)).toEqual(address);
    for (const { responseTemplates } of Object.values(documentOf(elsewhere.template)[OWN_ANSWERS])) {
      expect(responseTemplates['application/json']).toContain(
        'http://127.0.0.1:4566/restapis/$context.apiId/api/_user_request_/errors/',
      );
    }
  });

  test.each([
    'pay.example.com',
    'ftp://x',
    'https://x/',
    'https://x?a',
    'https://x#a',
    'https://a b',
    'https:///x',
    'https://x/../y',
    'https://x/.',
    String.raw`https:\\x`,
    ' https://x',
    'https://x\n',
    '',
  ])('cannot be configured to an invalid address: "%s"', (text) => {
    expect(() => readBaseUrl(text)).toThrow('baseUrl is an address');
  });
});

describe('grants', () => {
  test('the clock can publish to its bus and report its failures', () => {
    const beyondTheTable = grantsOf('clock-tick').filter((grant) => !grant.startsWith('dynamodb:'));
    expect(beyondTheTable.toSorted()).toEqual(['events:PutEvents on the bus', REPORTING]);
  });

  test('the job runner can read the stream, publish to the bus and report its failures', () => {
    const beyondTheTable = grantsOf('job-runner').filter(
      (grant) => !/ on (the table|index \w+)$/.test(grant),
    );
    const expected = [
      'dynamodb:DescribeStream on the stream',
      'dynamodb:GetRecords on the stream',
      'dynamodb:GetShardIterator on the stream',
      'dynamodb:ListStreams on the stream',
      'events:PutEvents on the bus',
      REPORTING,
    ];
    expect(beyondTheTable.toSorted()).toEqual(expected.toSorted());
  });

  test("the live job runner can read providers' secrets and report its failures", () => {
    const beyondTheTable = grantsOf('live-job-runner').filter(
      (grant) => !/ on (the table|index \w+)$/.test(grant),
    );
    expect(beyondTheTable.toSorted()).toEqual([READING_SECRETS, REPORTING].toSorted());
  });

  test.each([
    ...BY_MODE.flatMap(({ runner, deliverer }) => [runner, deliverer]),
    'send-test-event',
    'advance-clock',
  ])("%s, which posts to endpoints, can read no provider's secret", (name) => {
    expect(grantsOf(name).filter((grant) => grant.includes('secretsmanager'))).toEqual([]);
  });

  test.each([
    ['deliverer', 'the queue of receivers'],
    ['live-deliverer', 'the queue of live receivers'],
  ])('the %s can read its queue, publish to the bus and report its failures', (name, queue) => {
    const beyondTheTable = grantsOf(name).filter((grant) => !/ on (the table|index \w+)$/.test(grant));
    const expected = [
      'events:PutEvents on the bus',
      ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
        (action) => `sqs:${action} on ${queue}`,
      ),
      REPORTING,
    ];
    expect(beyondTheTable.toSorted()).toEqual(expected.toSorted());
  });

  // grants.test.ts checks what each may do there.
  test.each(rows)('$name can use the table and providers, where its row says so, and nothing else', (row) => {
    const beyondTheTable = grantsOf(row.name).filter((grant) => !/ on (the table|index \w+)$/.test(grant));
    expect(beyondTheTable).toEqual(row.provider === true ? [READING_SECRETS] : []);
  });

  test("only functions that call providers can read this stage's secrets and know their place", () => {
    const reading = functionNames.filter((name) => grantsOf(name).includes(READING_SECRETS));
    expect(reading.toSorted()).toEqual(TALKING_TO_PROVIDERS.toSorted());
    for (const name of functionNames) {
      const variable = functionOf(name).Environment?.Variables[SECRETS_PREFIX_VARIABLE];
      expect(variable, name).toBe(reading.includes(name) ? 'payments-test/providers/' : undefined);
    }
  });

  test('only functions that call a provider get its custom origin, never in production', () => {
    const origins = { STRIPE_API_URL: 'http://127.0.0.1:12111' };
    const { template: rehearsing } = synthesize({ isProduction: false }, origins);
    const variable = Object.values(resourcesOf(rehearsing, 'AWS::Lambda::Function')).flatMap(
      ({ Properties }) => Properties.Environment?.Variables ?? [],
    );
    expect(variable.filter(({ STRIPE_API_URL }) => STRIPE_API_URL === origins.STRIPE_API_URL)).toEqual(
      variable.filter((variables) => SECRETS_PREFIX_VARIABLE in variables),
    );
    expect(variable.filter((variables) => 'STRIPE_API_URL' in variables)).toHaveLength(
      TALKING_TO_PROVIDERS.length,
    );
    expect(() => synthesize({ isProduction: true }, origins)).toThrow('no other origin in production');
  });

  test('a function gets the name of the table if, and only if, it may use it', () => {
    for (const name of functionNames) {
      const variable = functionOf(name).Environment?.Variables[TABLE_NAME_VARIABLE];
      expect(variable, name).toEqual(grantsOf(name).length > 0 ? { Ref: tableId } : undefined);
    }
  });

  test('the clock gets the name of its bus', () => {
    expect(functionOf('clock-tick').Environment.Variables[BUS_NAME_VARIABLE]).toEqual({ Ref: busId });
  });

  test('no policy of a role has a wildcard action, or a resource of anything but this stack', () => {
    const statements = Object.keys(resourcesOf(template, 'AWS::IAM::Role')).flatMap(statementsOfRole);
    expect(statements).not.toHaveLength(0);
    for (const { actions, arns } of statements) {
      expect(actions.join(' ')).not.toContain('*');
      expect(arns.map(placeOf)).not.toContain(undefined);
    }
    // What is in none of these, and would be in force as well.
    template.resourceCountIs('AWS::IAM::Policy', 0);
  });

  test("beyond these, a function may only write its own log; the API's functions share one", () => {
    for (const name of functionNames) {
      const writing = ['logs:CreateLogStream', 'logs:PutLogEvents'];
      expect(allGrantsOf(name).filter(isOwnLog(name)).toSorted(), name).toEqual(
        writing.map((action) => `${action} on ${logOf(name)}`),
      );
    }
    const sharing = Map.groupBy(functionNames, logOf);
    expect([...sharing.values()].map(({ length }) => length)).toEqual([
      rows.length + 1,
      ...WORKERS.map(() => 1),
    ]);
  });

  test('public functions, functions that require a key, and each worker share no role', () => {
    const kinds = new Map<string, string>(
      rows.map(({ name, permission }) => [name, permission ? 'keyed' : 'open']),
    );
    kinds.set(UNKNOWN_ROUTE_FUNCTION, 'open');
    const byRole = Map.groupBy(functionNames, (name) => functionOf(name).Role['Fn::GetAtt'][0]);
    for (const names of byRole.values()) {
      expect(new Set(names.map((name) => kinds.get(name) ?? name)).size, names.join()).toBe(1);
    }
    console.log(`${functionNames.length} functions run as ${byRole.size} roles.`);
  });

  test('queues and topic accept only TLS, and no other account or stack', () => {
    const types = ['AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy'];
    const policies = types.flatMap((type) => Object.values(resourcesOf(template, type)));
    expect(policies).toHaveLength(4);
    for (const { Properties } of policies) {
      const [tls, ...others] = Properties.PolicyDocument.Statement;
      expect(tls).toMatchObject({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      });
      expect(others).not.toHaveLength(0);
      for (const { Effect, Action, Principal, Condition } of others) {
        expect(Effect).toBe('Allow');
        // Where a rule puts its events into a queue, it may look at the queue, too.
        const looking = ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'];
        const doing = [Action].flat().filter((action) => !looking.includes(action));
        expect(['sqs:SendMessage', 'sns:Publish']).toContain(doing.join());
        expect(Principal.Service).toMatch(/^(events|cloudwatch)\.amazonaws\.com$/);
        expect(JSON.stringify(Condition)).toContain('aws:SourceArn');
      }
    }
  });
});

describe('functions', () => {
  test.each(functionNames)('%s has a log group with retention, a timeout, a memory size, arm64', (name) => {
    const { Architectures, LoggingConfig, MemorySize, Runtime, Timeout } = functionOf(name);
    expect({ Architectures, MemorySize, Runtime, Timeout }).toEqual({
      Architectures: ['arm64'],
      MemorySize: expect.toSatisfy((megabytes) => megabytes >= 512),
      Runtime: 'nodejs24.x',
      Timeout: expect.toSatisfy((seconds) => seconds <= TIMEOUT_MAX_SECONDS),
    });
    const logGroup = resourcesOf(template, 'AWS::Logs::LogGroup')[LoggingConfig.LogGroup.Ref];
    expect(logGroup?.Properties.RetentionInDays).toBeGreaterThan(0);
  });

  test.each(rows)('$name has the timeout of its row', ({ name, timeoutSeconds }) => {
    expect(functionOf(name).Timeout).toBe(timeoutSeconds ?? FUNCTION_TIMEOUT_SECONDS);
  });

  test.each(WORKERS.filter((name) => name !== 'clock-tick'))(
    'the %s has the timeout that its code assumes',
    (name) => {
      expect(functionOf(name).Timeout).toBe(JOB_RUNNER_TIMEOUT_SECONDS);
    },
  );

  test('a tick has ended before the next one begins', () => {
    expect(functionOf('clock-tick').Timeout).toBeLessThan(TICK_MINUTES * 60);
  });
});

describe('limits', () => {
  const throttlesOf = (each: Template) => {
    const [stage] = Object.values(resourcesOf(each, 'AWS::ApiGateway::Stage'));
    const settings: Record<string, unknown>[] = stage?.Properties.MethodSettings ?? [];
    return new Map(
      settings.map(({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit }) => [
        // The root is a slash; of every other path, each slash is written as ~1 after the first one.
        `${HttpMethod} ${ResourcePath === '/' ? '/' : String(ResourcePath).slice(1).replaceAll('~1', '/')}`,
        { rate: Number(ThrottlingRateLimit), burst: Number(ThrottlingBurstLimit) },
      ]),
    );
  };
  const [inTest, inProduction] = [throttlesOf(template), throttlesOf(production.template)];

  test('a test stage allows the requests of parallel tests, alike for every method', () => {
    expect([...inTest]).toEqual([['* *', { rate: 200, burst: 400 }]]);
  });

  test('production allows more, but less for public methods than for those with a key', () => {
    const { '* *': keyed, ...open } = Object.fromEntries(inProduction);
    expect(keyed?.rate).toBeGreaterThan(200);
    const anybodys = rows.filter(({ permission }) => permission === null);
    expect(Object.keys(open).toSorted()).toEqual(
      anybodys.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    for (const { rate, burst } of Object.values(open)) {
      expect(rate).toBeLessThan(keyed?.rate ?? 0);
      expect(burst).toBeLessThan(keyed?.burst ?? 0);
    }
  });

  test('production limits the concurrency of workers, public functions and posting functions', async () => {
    const [ofTest, ofProduction] = everyTemplate.map((each) =>
      Object.entries(resourcesOf(each, 'AWS::Lambda::Function')).flatMap(([id, { Properties }]) => {
        const name = functionNames.find((candidate) => functionIds.get(candidate) === id);
        const reserved = Properties.ReservedConcurrentExecutions;
        return reserved === undefined ? [] : [[name, reserved] as const];
      }),
    );
    // A new account may run 10 functions in all: a reservation would fail the deployment.
    expect(ofTest).toEqual([]);
    const anybodys = rows.filter(({ permission }) => permission === null).map(({ name }) => name);
    const names = ofProduction?.map(([name]) => String(name)).toSorted();
    const waiting = await namesOfPosting();
    expect(waiting).toContain('send-test-event');
    expect(names).toEqual([...WORKERS, ...anybodys, ...waiting, UNKNOWN_ROUTE_FUNCTION].toSorted());
    const reserved = ofProduction?.map(([, howMany]) => howMany) ?? [];
    expect(Math.min(...reserved)).toBeGreaterThan(0);
    // Most of the account's 1,000 is left to functions that require a key; Lambda refuses to reserve the last 100.
    expect(reserved.reduce((sum, howMany) => sum + howMany, 0)).toBeLessThan(500);
  });

  test('a stack has room for more: CloudFormation takes 500 resources', () => {
    const counts = everyTemplate.map(countOf);
    console.log(`A test stage has ${counts[0]} resources, production ${counts[1]}, of 500.`);
    expect(Math.max(...counts)).toBeLessThanOrEqual(240);
  });

  test("a stage has no more roles than infra/README.md says, of an account's 1,000", async () => {
    const { length } = Object.keys(resourcesOf(template, 'AWS::IAM::Role'));
    const [, stages, roles] =
      /\| About (\d+) stages in an account: .* a stage has at most (\d+) \|/.exec(
        await readFile('infra/README.md', 'utf8'),
      ) ?? [];
    expect(length).toBeLessThanOrEqual(Number(roles));
    expect(Number(stages) * Number(roles)).toBeLessThanOrEqual(1_000);
  });

  test('a new operation adds at most four resources, even with grants of its own', { tags: 'slow' }, () => {
    for (const isProduction of [false, true]) {
      const [one, two] = [1, 2].map((more) => countOf(synthesizeMore(more, { isProduction }).template));
      expect((two ?? 0) - (one ?? 0)).toBeLessThanOrEqual(4);
    }
  });

  test('a hundred operations fit the limits on resources, template size and policy size', () => {
    const { template: long } = synthesizeMore(100 - rows.length, { isProduction: true });
    const text = JSON.stringify(long.toJSON());
    console.log(`100 operations are ${countOf(long)} resources and ${Math.ceil(text.length / 1_000)} KB.`);
    expect(countOf(long)).toBeLessThanOrEqual(500);
    expect(text.length).toBeLessThan(1_000_000);
    for (const { Properties } of Object.values(resourcesOf(long, 'AWS::IAM::Role'))) {
      const inline = (Properties.Policies ?? []).map(
        ({ PolicyDocument }: { PolicyDocument: object }) => PolicyDocument,
      );
      expect(inline.map(sizeOf).reduce((sum: number, size: number) => sum + size, 0)).toBeLessThanOrEqual(
        10_240,
      );
    }
    const managed = Object.values(resourcesOf(long, 'AWS::IAM::ManagedPolicy'));
    expect(managed.length).toBeLessThanOrEqual(10);
    for (const { Properties } of managed) {
      expect(sizeOf(Properties.PolicyDocument)).toBeLessThanOrEqual(6_144);
    }
  });
});

describe('a stage without the test kit', () => {
  const { stack: without, template: lean } = synthesize({ isProduction: true, hasTestKit: false });
  const left = rows.filter(({ id }) => !id.startsWith('testkit.'));

  test('has no function and no route of it, and all others', () => {
    const names = paymentFunctionsOf(without).map(({ node }) => node.id);
    const expected = [...left.map(({ name }) => name), UNKNOWN_ROUTE_FUNCTION, ...WORKERS];
    expect(names.toSorted()).toEqual(expected.toSorted());
    const paths = Object.keys(documentOf(lean).paths);
    expect(paths.filter((path) => /^\/(api\/v1\/test|sink)/.test(path))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(left.map(({ path }) => path)));
  });

  test('sets the test kit variable of its functions to off; other stages do not set it', () => {
    const urlIn = (each: Template) =>
      Object.values(resourcesOf(each, 'AWS::Lambda::Function')).flatMap(
        ({ Properties }) => Properties.Environment?.Variables[TEST_KIT_VARIABLE] ?? [],
      );
    expect(urlIn(lean)).toEqual([...left, UNKNOWN_ROUTE_FUNCTION].map(() => 'off'));
    expect(everyTemplate.flatMap(urlIn)).toEqual([]);
  });
});

describe('the access log', () => {
  const stages = everyTemplate.flatMap((each) => Object.values(resourcesOf(each, 'AWS::ApiGateway::Stage')));
  const settings = stages.map(({ Properties }) => Properties.AccessLogSetting);

  test("ties a caller's address to a request id; has no body, key, query or path with ids", () => {
    expect(settings).toHaveLength(everyTemplate.length);
    for (const { Format } of settings) {
      const { service, ...fields } = JSON.parse(Format);
      expect(service).toBe('payments-test');
      expect(Object.values(fields)).toEqual(LOGGED);
    }
  });

  test('is the only log of API Gateway, whose execution log would contain bodies', () => {
    for (const { Properties } of stages) {
      for (const { DataTraceEnabled = false, LoggingLevel = 'OFF' } of Properties.MethodSettings) {
        expect({ DataTraceEnabled, LoggingLevel }).toEqual({ DataTraceEnabled: false, LoggingLevel: 'OFF' });
      }
    }
    template.resourceCountIs('AWS::ApiGateway::Account', 0);
  });

  test('keeps addresses for 90 days; function logs are kept for 13 months in production', () => {
    for (const [place, each] of everyTemplate.entries()) {
      const [id, attribute] = settings[place].DestinationArn['Fn::GetAtt'];
      expect(attribute).toBe('Arn');
      const { [id]: accessLog, ...ofFunctions } = resourcesOf(each, 'AWS::Logs::LogGroup');
      expect(accessLog?.Properties.RetentionInDays).toBe(90);
      const kept = Object.values(ofFunctions).map(({ Properties }) => Properties.RetentionInDays);
      expect(kept).toHaveLength(1 + WORKERS.length);
      expect([...new Set(kept)]).toEqual([each === template ? 180 : 400]);
    }
  });
});

describe('what happens without a request', () => {
  const mappings = Object.values(resourcesOf(template, 'AWS::Lambda::EventSourceMapping'));
  const mappingOf = (name: string) =>
    mappings.find(({ Properties }) => Properties.FunctionName.Ref === functionIds.get(name))?.Properties;
  const unhandled = { OnFailure: { Destination: { 'Fn::GetAtt': [queueId, 'Arn'] } } };
  const rules = Object.values(resourcesOf(template, 'AWS::Events::Rule'));
  const ruleFor = ({ detailType }: { readonly detailType: string }) =>
    rules.find(({ Properties }) => Properties.EventPattern?.['detail-type'].includes(detailType))?.Properties;

  test('the clock ticks once a minute', () => {
    const rule = ruleOf(functionIds.get('clock-tick') ?? '');
    expect(rule?.Properties).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
  });

  test('an event of the job runner about due live jobs wakes the live job runner', () => {
    expect(ruleOf(functionIds.get('live-job-runner') ?? '')?.Properties).toMatchObject({
      EventBusName: { Ref: busId },
      EventPattern: { source: [LIVE_JOBS_DUE.source], 'detail-type': [LIVE_JOBS_DUE.detailType] },
    });
  });

  test.each(BY_MODE)(
    'an event of the clock about a due $mode world wakes the $runner',
    ({ mode, runner }) => {
      const { source, detailType } = WORLD_DUE[mode];
      expect(ruleOf(functionIds.get(runner) ?? '')?.Properties).toMatchObject({
        EventBusName: { Ref: busId },
        EventPattern: { source: [source], 'detail-type': [detailType] },
        State: 'ENABLED',
      });
    },
  );

  test.each(BY_MODE)(
    'a fresh event of a $mode world wakes the $runner without the tick, and no other item does',
    ({ mode, runner }) => {
      expect(mappings).toHaveLength(4);
      const mapping = mappingOf(runner);
      expect(mapping).toMatchObject({
        EventSourceArn: { 'Fn::GetAtt': [tableId, 'StreamArn'] },
        MaximumBatchingWindowInSeconds: 0,
      });
      const patterns = mapping?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) =>
        JSON.parse(Pattern),
      );
      const image = { kind: { S: [...WAKING_KINDS] }, duePk: { S: [{ prefix: DUE_PREFIXES[mode] }] } };
      expect(patterns).toEqual([{ eventName: ['INSERT', 'MODIFY'], dynamodb: { NewImage: image } }]);
    },
  );

  test('no item of a test world wakes a function of live worlds, nor the reverse', () => {
    const { test: ofTest, live: ofLive } = DUE_PREFIXES;
    expect([ofTest.startsWith(ofLive), ofLive.startsWith(ofTest)]).toEqual([false, false]);
    for (const mode of MODES) {
      const { duePk } = dueIndex({ id: 'w', epoch: 1, mode }, 'pay_1', 0);
      expect(MODES.filter((other) => duePk.startsWith(DUE_PREFIXES[other]))).toEqual([mode]);
    }
  });

  test('live deliveries have a queue and room that test worlds cannot take', () => {
    const [ofTest, ofLive] = BY_MODE;
    expect(ofTest.dueId).not.toBe(ofLive.dueId);
    const reservedFor = (name: string) => functionOf(name, production.template)?.ReservedConcurrentExecutions;
    for (const name of [ofLive.runner, ofLive.deliverer]) {
      expect(reservedFor(name), name).toBeGreaterThan(0);
    }
  });

  test.each(BY_MODE)(
    'a queue feeds the $deliverer a few items at a time, and the others wait in it',
    ({ mode, deliverer, dueId }) => {
      const { source, detailType } = RECEIVER_DUE[mode];
      expect(ruleFor(RECEIVER_DUE[mode])).toMatchObject({
        EventBusName: { Ref: busId },
        EventPattern: { source: [source], 'detail-type': [detailType] },
        Targets: [{ Arn: { 'Fn::GetAtt': [dueId, 'Arn'] } }],
      });
      expect(mappingOf(deliverer)).toMatchObject({
        EventSourceArn: { 'Fn::GetAtt': [dueId, 'Arn'] },
        BatchSize: 1,
        ScalingConfig: { MaximumConcurrency: RECEIVERS_AT_ONCE[mode] },
      });
      expect(RESERVED[deliverer]).toBeGreaterThanOrEqual(RECEIVERS_AT_ONCE[mode]);
      expect(PLACES_MAX[mode]).toBeLessThan(RECEIVERS_AT_ONCE[mode] / 2);
    },
  );

  test.each(everyTemplate)(
    'a message that a function keeps failing on is set aside before it expires',
    (each) => {
      const queues = resourcesOf(each, 'AWS::SQS::Queue');
      const feeding = Object.values(resourcesOf(each, 'AWS::Lambda::EventSourceMapping')).flatMap(
        ({ Properties: { EventSourceArn, FunctionName } }) => {
          const queue = queues[EventSourceArn['Fn::GetAtt']?.[0]];
          return queue === undefined ? [] : [{ queue, functionId: FunctionName.Ref }];
        },
      );
      expect(feeding).toHaveLength(dueIds.length);
      for (const { queue, functionId } of feeding) {
        const { VisibilityTimeout, MessageRetentionPeriod, RedrivePolicy } = queue.Properties;
        const { Timeout } = resourcesOf(each, 'AWS::Lambda::Function')[functionId]?.Properties ?? {};
        // AWS's own advice: six times the time-out of the function.
        expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
        expect(MessageRetentionPeriod).toBeGreaterThan(VisibilityTimeout * RedrivePolicy.maxReceiveCount);
        expect(RedrivePolicy.deadLetterTargetArn).toEqual({ 'Fn::GetAtt': [queueId, 'Arn'] });
        // What is set aside keeps its age: there it must be kept for longer.
        expect(queues[queueId]?.Properties.MessageRetentionPeriod).toBeGreaterThan(
          2 * MessageRetentionPeriod,
        );
      }
    },
  );

  test('messages of clock and stream that a worker cannot handle end in a queue', () => {
    const retries = Object.values(resourcesOf(template, 'AWS::Lambda::EventInvokeConfig'));
    const configs = retries.map(({ Properties }) => [idOf(Properties.FunctionName), Properties]);
    for (const worker of WORKERS) {
      const config = Object.fromEntries(configs)[functionIds.get(worker) ?? ''];
      expect(config, worker).toMatchObject({ MaximumRetryAttempts: 0, DestinationConfig: unhandled });
    }
    for (const { runner } of BY_MODE) {
      expect(mappingOf(runner)).toMatchObject({
        DestinationConfig: unhandled,
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: expect.toSatisfy((times) => times >= 0),
        MaximumRecordAgeInSeconds: expect.toSatisfy((seconds) => seconds >= TICK_MINUTES * 60),
      });
    }
    for (const { Properties } of rules) {
      expect(Properties.Targets).toEqual([
        expect.objectContaining({
          DeadLetterConfig: { Arn: { 'Fn::GetAtt': [queueId, 'Arn'] } },
          RetryPolicy: { MaximumEventAgeInSeconds: TICK_MINUTES * 60 },
        }),
      ]);
    }
    template.hasOutput('UnhandledQueueUrl', { Value: { Ref: queueId } });
  });
});

describe('the table', () => {
  test('has the keys and the keys-only indexes that the store uses', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      KeySchema: keySchema(TABLE),
      TimeToLiveSpecification: { AttributeName: TABLE.ttl, Enabled: true },
      GlobalSecondaryIndexes: Object.entries(INDEXES).map(([name, keys]) => ({
        IndexName: name,
        KeySchema: keySchema(keys),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
    });
  });

  test('is paid by use, streams new images, and leaves its name to CloudFormation', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      TableName: Match.absent(),
    });
  });
});

describe('what API Gateway answers by itself', () => {
  const answers = Object.entries(gateway[OWN_ANSWERS]);

  test('has a status that shows whether the client or the service is at fault', () => {
    const statuses = answers.map(([type, { statusCode }]) => [type, statusCode]);
    expect(Object.fromEntries(statuses)).toEqual(REFUSALS);
  });

  test('is a problem of the catalogue', () => {
    for (const [, { statusCode, responseParameters, responseTemplates }] of answers) {
      const problem = JSON.parse(responseTemplates['application/json'] ?? '');
      if (!isErrorCode(problem.code)) {
        throw new Error(`${problem.code} is not in the catalogue`);
      }
      const { status, title, advice, retryAfterSeconds } = entryOf(problem.code);
      expect(problem).toEqual({
        type: expect.stringMatching(new RegExp(`^https://.+/errors/${problem.code}$`)),
        title,
        status,
        code: problem.code,
        detail: advice,
        instance: 'urn:request:$context.requestId',
      });
      expect(statusCode).toBe(String(status));
      expect(responseParameters).toMatchObject({
        'gatewayresponse.header.Content-Type': "'application/problem+json'",
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
        'gatewayresponse.header.Strict-Transport-Security': "'max-age=31536000'",
        'gatewayresponse.header.Referrer-Policy': "'no-referrer'",
      });
      expect(responseParameters['gatewayresponse.header.Retry-After']).toBe(
        retryAfterSeconds === undefined ? undefined : `'${retryAfterSeconds}'`,
      );
    }
  });
});

describe('stages', () => {
  test('a test stage leaves nothing behind', () => {
    expect(stack.terminationProtection).toBe(false);
    for (const [id, resource] of Object.entries(template.toJSON().Resources)) {
      expect((resource as { DeletionPolicy?: string }).DeletionPolicy ?? 'Delete', id).toBe('Delete');
    }
    for (const type of STATEFUL) {
      const resources = Object.values(resourcesOf(template, type));
      expect(resources, type).not.toHaveLength(0);
      for (const { DeletionPolicy, UpdateReplacePolicy } of resources) {
        expect({ DeletionPolicy, UpdateReplacePolicy }, type).toEqual({
          DeletionPolicy: 'Delete',
          UpdateReplacePolicy: 'Delete',
        });
      }
    }
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      DeletionProtectionEnabled: false,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    });
  });

  test('a production stage retains and protects its table, its logs and its failure queues', () => {
    expect(production.stack.terminationProtection).toBe(true);
    const retained = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    for (const type of STATEFUL) {
      production.template.allResources(type, retained);
    }
    production.template.hasResource('AWS::DynamoDB::Table', {
      ...retained,
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
  });

  test('a production stage refuses TLS before 1.2', () => {
    production.template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      SecurityPolicy: Match.stringLikeRegexp('^SecurityPolicy_TLS13_1_2_'),
      EndpointAccessMode: 'BASIC',
    });
  });

  test('the outputs of a stack name the API, its base URL, the table and the alarm topic', () => {
    for (const name of ['ApiId', 'BaseUrl', 'TableName', 'AlarmTopicArn']) {
      template.hasOutput(name, {});
    }
  });
});

describe('the gateway', () => {
  const toldOf = (template: Template) => {
    const [api] = Object.values(template.findResources('AWS::ApiGateway::RestApi'));
    const { BinaryMediaTypes, Body } = api?.Properties ?? {};
    const functions = Object.values(template.findResources('AWS::Lambda::Function'));
    const kinds = functions.flatMap(
      ({ Properties }) => Properties.Environment?.Variables[GATEWAY_VARIABLE] ?? [],
    );
    return {
      kinds: [...new Set(kinds)],
      types: [BinaryMediaTypes, Body['x-amazon-apigateway-binary-media-types']],
    };
  };

  test('sends every body on as bytes, by the one type that is all', () => {
    expect(toldOf(template)).toEqual({ kinds: [], types: [['*/*'], ['*/*']] });
  });

  test('that stands in for it has the types that browsers accept, too', () => {
    const types = ['*/*', ...STAND_IN_BINARY_TYPES];
    const { template: standIn } = synthesize({ isProduction: false, gateway: 'stand-in' });
    expect(toldOf(standIn)).toEqual({ kinds: ['stand-in'], types: [types, types] });
  });
});

function synthesize(
  props: Omit<ConstructorParameters<typeof PaymentStack>[2], 'env'>,
  variable: object = {},
) {
  // Bundling takes a second for each function; bundle.load.test.ts looks at the bundles.
  const app = new App({ outdir, context: { ...variable, 'aws:cdk:bundling-stacks': [] } });
  const stack = new PaymentStack(app, 'payments-test', props);
  return { stack, template: Template.fromStack(stack) };
}

/** A stack of so many more operations, each with an access of its own. */
function synthesizeMore(howMany: number, props: { isProduction: boolean }) {
  const read = ['payment', 'refund', 'paymentLink', 'payout', 'settlement', 'endpoint', 'sink'] as const;
  const more = Array.from(
    { length: howMany },
    (_, number): Operation => ({
      ...paymentOperations.getPayment,
      id: `payments.GetThing${number}`,
      path: `/api/v1/things${number}/{id}`,
      reads: read.filter((_name, place) => ((number + 3) >> place) % 2 === 1),
    }),
  );
  const operations = [...allOperations, ...more];
  return synthesize({ ...props, operations });
}

/** The functions of the API that post to receivers, for they have the code that does so. */
async function namesOfPosting(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: rows.map(({ name }) => codeOf(name)),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir,
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs)
    .filter(({ inputs }) => 'shared/webhooks/poster.ts' in inputs)
    .map(({ entryPoint = '' }) => path.basename(entryPoint, '.ts'));
}

function countOf(each: Template): number {
  return Object.keys(each.toJSON().Resources).length;
}

/** How long a policy may become, in characters: an ARN in it is no longer than this. */
function sizeOf(policy: object): number {
  const arn = 'x'.repeat(ARN_CHARS_MAX);
  return JSON.stringify(policy, (_key, value) => (value?.['Fn::GetAtt'] || value?.['Fn::Join'] ? arn : value))
    .length;
}

function paymentFunctionsOf(each: PaymentStack): PaymentFunction[] {
  return each.node.findAll().filter((child) => child instanceof PaymentFunction);
}

/** The definition of the service for API Gateway. */
interface GatewayDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly 'x-amazon-apigateway-integration': {
              readonly uri: { 'Fn::Join': [string, { 'Fn::GetAtt'?: string[] }[]] };
              readonly credentials: object;
            };
          }
        >
      >
    >
  >;
  readonly [OWN_ANSWERS]: Readonly<
    Record<
      string,
      {
        readonly statusCode: string;
        readonly responseParameters: Readonly<Record<string, string>>;
        readonly responseTemplates: Readonly<Record<string, string>>;
      }
    >
  >;
}

function documentOf(each: Template): GatewayDocument {
  return Object.values(resourcesOf(each, 'AWS::ApiGateway::RestApi'))[0]?.Properties.Body;
}

/** `GET /api/v1/payments` → the logical id of the function that API Gateway calls. */
function routesOf({ paths }: GatewayDocument): Map<string, string> {
  const methods = Object.entries(paths).flatMap(([path, held]) =>
    Object.entries(held).map(([method, said]) => ({ route: `${method.toUpperCase()} ${path}`, said })),
  );
  return new Map(
    methods.map(({ route, said: { 'x-amazon-apigateway-integration': integration } }) => {
      const [, parts] = integration.uri['Fn::Join'];
      return [route, parts.flatMap((part) => part['Fn::GetAtt'] ?? [])[0] ?? ''];
    }),
  );
}

/** The logical id that a reference means: its resource, or one of its attributes. */
function idOf(reference: { Ref?: string; 'Fn::GetAtt'?: string[] }): string | undefined {
  return reference.Ref ?? reference['Fn::GetAtt']?.[0];
}

/** The rule that calls a function. */
function ruleOf(functionId: string) {
  const rules = Object.entries(resourcesOf(template, 'AWS::Events::Rule'));
  return rules
    .map(([id, { Properties }]) => ({ id, Properties }))
    .find(({ Properties }) =>
      Properties.Targets.some(({ Arn }: { Arn: object }) => idOf(Arn) === functionId),
    );
}

function functionOf(name: string, each: Template = template) {
  return resourcesOf(each, 'AWS::Lambda::Function')[functionIds.get(name) ?? '']?.Properties;
}

/** `dynamodb:GetItem on the table`, … but for the function's own log, which every one may write. */
function grantsOf(name: string): string[] {
  return allGrantsOf(name).filter((grant) => !isOwnLog(name)(grant));
}

function isOwnLog(name: string) {
  return (grant: string) => grant.endsWith(` on ${logOf(name)}`);
}

function logOf(name: string): string {
  return `the log ${functionOf(name).LoggingConfig.LogGroup.Ref}`;
}

function allGrantsOf(name: string): string[] {
  return statementsOfRole(functionOf(name).Role['Fn::GetAtt'][0]).flatMap(({ actions, arns }) =>
    actions.flatMap((action) => arns.map((arn) => `${action} on ${placeOf(arn)}`)),
  );
}

/** What a role may do, in itself and by the policies of this stack that it has: there are no others. */
function statementsOfRole(roleId: string): { actions: string[]; arns: unknown[] }[] {
  const { Policies = [], ManagedPolicyArns = [] } =
    resourcesOf(template, 'AWS::IAM::Role')[roleId]?.Properties ?? {};
  const managed = ManagedPolicyArns.map(
    ({ Ref }: { Ref: string }) => resourcesOf(template, 'AWS::IAM::ManagedPolicy')[Ref]?.Properties,
  );
  return [...Policies, ...managed].flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.map(
      ({ Action, Resource }: { Action: string | string[]; Resource: unknown }) => ({
        actions: [Action].flat(),
        arns: [Resource].flat(),
      }),
    ),
  );
}

/** What of this stack an ARN names, or undefined for anything else. */
function placeOf(arn: unknown): string | undefined {
  const tableArn = { 'Fn::GetAtt': [tableId, 'Arn'] };
  const arns: Record<string, unknown> = {
    'the table': tableArn,
    'the stream': { 'Fn::GetAtt': [tableId, 'StreamArn'] },
    'the bus': { 'Fn::GetAtt': [busId, 'Arn'] },
    'the queue': { 'Fn::GetAtt': [queueId, 'Arn'] },
    'the queue of receivers': { 'Fn::GetAtt': [BY_MODE[0].dueId, 'Arn'] },
    'the queue of live receivers': { 'Fn::GetAtt': [BY_MODE[1].dueId, 'Arn'] },
    'the secrets of the stage': {
      'Fn::Join': [
        '',
        [
          ...['arn:', { Ref: 'AWS::Partition' }, ':secretsmanager:', { Ref: 'AWS::Region' }, ':'],
          ...[{ Ref: 'AWS::AccountId' }, ':secret:payments-test/providers/*'],
        ],
      ],
    },
  };
  for (const index of Object.keys(INDEXES) as IndexName[]) {
    arns[`index ${index}`] = { 'Fn::Join': ['', [tableArn, `/index/${index}`]] };
  }
  for (const [name, id] of functionIds) {
    arns[name] = { 'Fn::GetAtt': [id, 'Arn'] };
    arns[logOf(name)] = { 'Fn::GetAtt': [functionOf(name).LoggingConfig.LogGroup.Ref, 'Arn'] };
  }
  return Object.keys(arns).find((place) => JSON.stringify(arns[place]) === JSON.stringify(arn));
}

function keySchema({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ];
}
