import { readFile } from 'node:fs/promises';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import cdk from '../../../cdk.json' with { type: 'json' };
import { readBaseUrl } from '../../../infra/aws/base-url.ts';
import { RESERVED } from '../../../infra/aws/constructs/clock-and-jobs.ts';
import { JOB_RUNNER_TIMEOUT_SECONDS, TICK_MINUTES, WAKING_KINDS } from '../../../shared/contract/bus.ts';
import {
  FUNCTION_TIMEOUT_SECONDS,
  functionNameOf,
  type Operation,
} from '../../../shared/contract/operation.ts';
import { allOperations } from '../../../shared/contract/operations.ts';
import { paymentOperations } from '../../../shared/contract/payments.ts';
import { methodsOf, UNKNOWN_ROUTE_FUNCTION } from '../../../shared/contract/routes.ts';
import { STAND_IN_BINARY_TYPES } from '../../../shared/contract/stand-in-gateway.ts';
import { MODES } from '../../../shared/domain/world.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { entryOf, isErrorCode } from '../../../shared/errors/catalogue.ts';
import { RUNNER_SLOTS_MAX } from '../../../shared/store/scheduler/runner-slots.ts';
import { DUE_PREFIXES, dueIndex } from '../../../shared/store/table/keys.ts';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { describeTemplate, textOf } from './describe-template.ts';
import { synthesized } from './synthesized.ts';

/** All of them: a function that is added here may use the secrets that move money. */
const TALKING_TO_PROVIDERS = [
  'act-on-checkout',
  'cancel-payment',
  'create-payment',
  'live-job-runner',
  'pay-by-link',
  'receive-notification',
];
const WORKERS = [
  'clock-tick',
  'job-runner',
  'live-dispatcher',
  'live-job-runner',
  'deliverer',
  'live-deliverer',
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
const ANY_METHOD = 'x-amazon-apigateway-any-method';
/** The ARN of a function with the longest name, in the region with the longest. */
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
/** Everything that a deployment can choose, in one stage. */
const ORIGIN = { STRIPE_API_URL: 'http://127.0.0.1:12111' };
const CHOSEN = {
  isProduction: false,
  baseUrl: 'http://127.0.0.1:4566/restapis/{apiId}/api/_user_request_',
  gateway: 'stand-in',
} as const;

const { stack, template, functionIds } = synthesized({ isProduction: false });
const production = synthesized({ isProduction: true });
const chosen = synthesized(CHOSEN, ORIGIN);
const longer = synthesized({ isProduction: true, operations: hundredOperations() });
const everyTemplate = [template, production.template];
const rows = allOperations.map((row) => ({ ...row, name: functionNameOf(row) }));
const functionNames = [...functionIds.keys()];
const roles = Map.groupBy(functionNames, (name) => functionOf(name).Role['Fn::GetAtt'][0] as string);
const [queueId = '', ...dueIds] = idsOf('AWS::SQS::Queue');
const gateway = documentOf(template);
const routes = routesOf(gateway);

test('cdk.json has every flag as CDK recommends it', async () => {
  const recommended = await readFile('node_modules/aws-cdk-lib/recommended-feature-flags.json', 'utf8');
  expect(cdk.context).toEqual(JSON.parse(recommended));
});

test('production is what the snapshot says', () => {
  expect(describeTemplate(production.template)).toMatchSnapshot();
});

test('a test stage differs from production by what the snapshot says', () => {
  const inProduction = describeTemplate(production.template);
  expect(describeTemplate(template).filter((each) => !inProduction.includes(each))).toMatchSnapshot();
});

describe('routes', () => {
  test('each operation leads to its function alone', () => {
    for (const { name, ...row } of rows) {
      const leading = [...routes].filter(([, functionId]) => functionId === functionIds.get(name));
      const expected = methodsOf(row).map((method) => [`${method} ${row.path}`, functionIds.get(name)]);
      expect(leading, name).toEqual(expected);
    }
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
    // Where a target does not know of any method, it finds these.
    for (const path of ['/', '/{proxy+}']) {
      expect(Object.keys(gateway.paths[path] ?? {}).toSorted()).toEqual(
        METHODS.map((method) => method.toLowerCase()),
      );
    }
  });

  test('a redeployed stage serves changed routes at the same address', () => {
    // Another name would be another address.
    expect(idsOf('AWS::ApiGateway::RestApi', longer.template)).toEqual(['ApiF70053CD']);
    expect(idsOf('AWS::ApiGateway::RestApi')).toEqual(['ApiF70053CD']);
    const deployment = 'AWS::ApiGateway::Deployment';
    expect(idsOf(deployment, longer.template)).not.toEqual(idsOf(deployment, production.template));
  });

  test('functions get the bytes that were sent, at AWS and at what stands in for it', () => {
    const told = [template, chosen.template].map((each) => {
      const [api] = Object.values(resourcesOf(each, 'AWS::ApiGateway::RestApi'));
      // It would inflate compressed bodies, which the functions refuse.
      expect(api?.Properties.MinimumCompressionSize).toBeUndefined();
      const { BinaryMediaTypes, Body } = api?.Properties ?? {};
      expect(Body['x-amazon-apigateway-binary-media-types']).toEqual(BinaryMediaTypes);
      return { types: BinaryMediaTypes, kinds: valuesOf(VARIABLES.gateway, each) };
    });
    expect(told).toEqual([
      { types: ['*/*'], kinds: [] },
      { types: ['*/*', ...STAND_IN_BINARY_TYPES], kinds: [...rows, null].map(() => 'stand-in') },
    ]);
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
    const called = WORKERS.filter((name) => !name.endsWith('deliverer')).map((name) => functionIds.get(name));
    expect(permissions.map(({ Properties }) => idOf(Properties.FunctionName)).toSorted()).toEqual(
      called.toSorted(),
    );
    for (const { Properties } of permissions) {
      const { FunctionName, Principal, SourceArn } = Properties;
      expect(Principal).toBe('events.amazonaws.com');
      const rule = resourcesOf(template, 'AWS::Events::Rule')[idOf(SourceArn) ?? ''];
      expect(idOf(rule?.Properties.Targets[0].Arn)).toBe(idOf(FunctionName));
    }
    const integrations = Object.values(gateway.paths)
      .flatMap((each) => Object.values(each))
      .map((method) => method['x-amazon-apigateway-integration']);
    const [caller = '', ...others] = new Set(integrations.map(({ credentials }) => idOf(credentials)));
    expect(others).toEqual([]);
    const statements = statementsOfRole(caller);
    expect(statements.map(({ actions }) => actions)).toEqual(statements.map(() => ['lambda:InvokeFunction']));
    const ofApi = functionNames.filter((name) => !WORKERS.includes(name));
    expect(statements.flatMap(({ arns }) => arns.map((arn) => idOf(arn as object))).toSorted()).toEqual(
      ofApi.map((name) => functionIds.get(name)).toSorted(),
    );
    for (const [id, { Properties }] of Object.entries(resourcesOf(template, 'AWS::IAM::Role'))) {
      const Service = id === caller ? 'apigateway.amazonaws.com' : 'lambda.amazonaws.com';
      expect(Properties.AssumeRolePolicyDocument.Statement, id).toEqual([
        { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service } },
      ]);
    }
  });
});

describe('the base URL of the service', () => {
  const outputOf = (each: Template) => each.findOutputs('BaseUrl').BaseUrl?.Value;
  const stageOf = (each: Template) =>
    Object.values(resourcesOf(each, 'AWS::ApiGateway::Stage'))[0]?.Properties.Variables;

  test('comes from API Gateway for operations, and from the stack for workers', () => {
    expect(stageOf(template)).toBeUndefined();
    expect(valuesOf(VARIABLES.baseUrl)).toEqual(WORKERS.slice(1).map(() => outputOf(template)));
    expect(textOf(outputOf(template))).toContain('.execute-api.');
  });

  test('can be configured, and then is the same for operations, workers and outputs', () => {
    const address = outputOf(chosen.template);
    expect(textOf(address)).toMatch(/restapis\/.*\/api\/_user_request_$/);
    expect(valuesOf(VARIABLES.baseUrl, chosen.template)).toEqual(WORKERS.slice(1).map(() => address));
    expect(stageOf(chosen.template)).toEqual({ [VARIABLES.baseUrl]: address });
    for (const { responseTemplates } of Object.values(documentOf(chosen.template)[OWN_ANSWERS])) {
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
  // grants.test.ts checks what each role may do to the table.
  test('beyond the table and its logs, a role may do this and nothing else', () => {
    const reporting = 'sqs:SendMessage on ClockAndJobsUnhandled';
    const publishing = 'events:PutEvents on ClockAndJobsBus';
    const receiving = ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].flatMap((action) =>
      ['LiveReceiversDue', 'ReceiversDue'].map((queue) => `sqs:${action} on ClockAndJobs${queue}`),
    );
    const streaming = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
      (action) => `dynamodb:${action} on the stream of Table`,
    );
    const secrets =
      'secretsmanager:GetSecretValue on arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:payments-test/providers/*';
    const beyond = [...roles].map(([roleId, names]) => {
      const grants = grantsOf(roleId).filter((grant) => !/ on (logs of |Table$|Table\/index\/)/.test(grant));
      return [names.toSorted().join(' '), grants.toSorted()] as const;
    });
    expect(Object.fromEntries(beyond.filter(([, grants]) => grants.length > 0))).toEqual({
      'clock-tick': [publishing, reporting],
      'job-runner live-dispatcher': [...streaming, publishing, reporting],
      'deliverer live-deliverer': [publishing, ...receiving, reporting].toSorted(),
      'live-job-runner': [secrets, reporting],
      'cancel-payment create-payment': [secrets],
      'act-on-checkout pay-by-link': [secrets],
      'receive-notification': [secrets],
    });
  });

  test('a role writes only the logs of its functions; those of the API share one', () => {
    for (const [roleId, names] of roles) {
      const logs = [...new Set(names.map((name) => `logs of ${plain(logOf(name))}`))];
      const expected = ['logs:CreateLogStream', 'logs:PutLogEvents'].flatMap((action) =>
        logs.map((log) => `${action} on ${log}`),
      );
      expect(
        grantsOf(roleId)
          .filter((grant) => grant.startsWith('logs:'))
          .toSorted(),
      ).toEqual(expected.toSorted());
    }
    const sharing = [...Map.groupBy(functionNames, logOf).values()].map(({ length }) => length);
    expect(sharing.toSorted((a, b) => b - a)).toEqual([rows.length + 1, ...WORKERS.map(() => 1)]);
  });

  test('no policy has a wildcard action, or a resource outside of this stack', () => {
    const statements = idsOf('AWS::IAM::Role').flatMap(statementsOfRole);
    expect(statements).not.toHaveLength(0);
    for (const { actions, arns } of statements) {
      expect(actions.join(' ')).not.toContain('*');
      for (const arn of arns) {
        expect(textOf(arn)).toMatch(
          /^<\w+[.](Arn|StreamArn)>(\/index\/\w+)?$|:secret:payments-test\/providers\/\*$/,
        );
      }
    }
    // What is in none of these, and would be in force as well.
    expect(idsOf('AWS::IAM::Policy')).toEqual([]);
  });

  test('only functions that call providers know where secrets are, and a custom origin', () => {
    for (const name of functionNames) {
      const isTalking = TALKING_TO_PROVIDERS.includes(name);
      const prefix = isTalking ? 'payments-test/providers/' : undefined;
      expect(variablesOf(name)[VARIABLES.secretsPrefix], name).toBe(prefix);
      const origin = isTalking ? ORIGIN.STRIPE_API_URL : undefined;
      expect(variablesOf(name, chosen.template).STRIPE_API_URL, name).toBe(origin);
    }
    expect(() => synthesized({ isProduction: true }, ORIGIN)).toThrow('no other origin in production');
  });

  test('a function gets the name of the table if, and only if, its role may use it', () => {
    for (const [roleId, names] of roles) {
      const mayUse = grantsOf(roleId).some((grant) => grant.startsWith('dynamodb:'));
      for (const name of names) {
        expect(textOf(variablesOf(name)[VARIABLES.tableName] ?? ''), name).toBe(
          mayUse ? '<TableCD117FA1>' : '',
        );
      }
    }
  });

  test('queues and topic accept only TLS, and no other account or stack', () => {
    const types = ['AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy'];
    const policies = types.flatMap((type) => Object.values(resourcesOf(production.template, type)));
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

test('a function has the time-out of its row, or the one that its code assumes', () => {
  for (const { name, timeoutSeconds } of rows) {
    expect(functionOf(name).Timeout, name).toBe(timeoutSeconds ?? FUNCTION_TIMEOUT_SECONDS);
  }
  for (const name of WORKERS.slice(1)) {
    expect(functionOf(name).Timeout, name).toBe(JOB_RUNNER_TIMEOUT_SECONDS);
  }
  // A tick has ended before the next one begins.
  expect(functionOf('clock-tick').Timeout).toBeLessThan(TICK_MINUTES * 60);
});

describe('limits', () => {
  test('production throttles public methods more than those with a key, and a test stage all alike', () => {
    const [inTest, inProduction] = everyTemplate.map((each) => {
      const [stage] = Object.values(resourcesOf(each, 'AWS::ApiGateway::Stage'));
      const settings: Record<string, unknown>[] = stage?.Properties.MethodSettings ?? [];
      return new Map(
        settings.map(({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit }) => [
          // The root is a slash; of every other path, each slash is written as ~1 after the first one.
          `${HttpMethod} ${ResourcePath === '/' ? '/' : String(ResourcePath).slice(1).replaceAll('~1', '/')}`,
          { rate: Number(ThrottlingRateLimit), burst: Number(ThrottlingBurstLimit) },
        ]),
      );
    });
    expect([...(inTest ?? [])]).toEqual([['* *', { rate: 200, burst: 400 }]]);
    const { '* *': keyed, ...open } = Object.fromEntries(inProduction ?? []);
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

  test('production limits the concurrency of workers, public functions and posting functions', () => {
    const [inTest, inProduction] = everyTemplate.map((each) =>
      functionNames.flatMap((name) => {
        const reserved = functionOf(name, each).ReservedConcurrentExecutions;
        return reserved === undefined ? [] : [[name, reserved] as const];
      }),
    );
    // A new account may run 10 functions in all: a reservation would fail the deployment.
    expect(inTest).toEqual([]);
    const anybodys = rows.filter(({ permission }) => permission === null).map(({ name }) => name);
    // grants.test.ts sees to it that these are all of the API that post.
    const posting = ['advance-clock', 'send-test-event'];
    expect(inProduction?.map(([name]) => name).toSorted()).toEqual(
      [...WORKERS, ...anybodys, ...posting, UNKNOWN_ROUTE_FUNCTION].toSorted(),
    );
    const reserved = inProduction?.map(([, howMany]) => howMany) ?? [];
    expect(Math.min(...reserved)).toBeGreaterThan(0);
    // Most of the account's 1,000 is left to functions that require a key; Lambda refuses to reserve the last 100.
    expect(reserved.reduce((sum, howMany) => sum + howMany, 0)).toBeLessThan(500);
  });

  test('a test stage has at most 150 resources, and no alarm, dashboard or firewall', () => {
    const [inTest, inProduction] = everyTemplate.map(countOf);
    console.log(`A test stage has ${inTest} resources, production ${inProduction}, of 500.`);
    expect(inTest).toBeLessThanOrEqual(150);
    expect(inProduction).toBeLessThanOrEqual(200);
    const types = Object.values<{ Type: string }>(template.toJSON().Resources).map(({ Type }) => Type);
    expect(
      types.filter((type) => /::(CloudWatch|SNS|WAFv2|KMS|SecretsManager|EC2)::|MetricFilter/.test(type)),
    ).toEqual([]);
  });

  test('a stage has no more roles than infra/README.md says, of the 1,000 of an account', async () => {
    const { length } = idsOf('AWS::IAM::Role');
    const [, stages, most] =
      /\| About (\d+) stages in an account: .* a stage has at most (\d+) \|/.exec(
        await readFile('infra/README.md', 'utf8'),
      ) ?? [];
    expect(length).toBeLessThanOrEqual(Number(most));
    expect(Number(stages)).toBeGreaterThanOrEqual(50);
    expect(Number(stages) * Number(most)).toBeLessThanOrEqual(1_000);
  });

  test('a hundred operations fit the limits on resources, template size and policy size', () => {
    const text = JSON.stringify(longer.template.toJSON());
    console.log(
      `100 operations are ${countOf(longer.template)} resources and ${Math.ceil(text.length / 1_000)} KB.`,
    );
    // Each new one is a function.
    expect(countOf(longer.template)).toBe(countOf(production.template) + 100 - rows.length);
    expect(text.length).toBeLessThan(500_000);
    for (const { Properties } of Object.values(resourcesOf(longer.template, 'AWS::IAM::Role'))) {
      const inline: object[] = (Properties.Policies ?? []).map(
        ({ PolicyDocument }: { PolicyDocument: object }) => PolicyDocument,
      );
      expect(inline.map(sizeOf).reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(10_240);
    }
    const managed = Object.values(resourcesOf(longer.template, 'AWS::IAM::ManagedPolicy'));
    expect(managed.length).toBeLessThanOrEqual(10);
    for (const { Properties } of managed) {
      expect(sizeOf(Properties.PolicyDocument)).toBeLessThanOrEqual(6_144);
    }
  });
});

test('a stage without the test kit has no function and no route of it, and its functions know', {
  tags: 'slow',
}, () => {
  const { template: lean, functionIds: ids } = synthesized({ isProduction: true, hasTestKit: false });
  const left = rows.filter(({ id }) => !id.startsWith('testkit.'));
  const expected = [...left.map(({ name }) => name), UNKNOWN_ROUTE_FUNCTION, ...WORKERS];
  expect([...ids.keys()].toSorted()).toEqual(expected.toSorted());
  const paths = Object.keys(documentOf(lean).paths);
  expect(paths.filter((path) => /^\/(api\/v1\/test|sink)/.test(path))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(left.map(({ path }) => path)));
  expect(valuesOf(VARIABLES.testKit, lean)).toEqual([...left, null].map(() => 'off'));
  expect(everyTemplate.flatMap((each) => valuesOf(VARIABLES.testKit, each))).toEqual([]);
});

describe('logs', () => {
  const stages = everyTemplate.flatMap((each) => Object.values(resourcesOf(each, 'AWS::ApiGateway::Stage')));

  test('the access log has an address and a request id; no body, key, query or real path', () => {
    expect(stages).toHaveLength(everyTemplate.length);
    for (const { Properties } of stages) {
      const { service, ...fields } = JSON.parse(Properties.AccessLogSetting.Format);
      expect(service).toBe('payments-test');
      expect(Object.values(fields)).toEqual(LOGGED);
      // The execution log would contain bodies.
      for (const { DataTraceEnabled = false, LoggingLevel = 'OFF' } of Properties.MethodSettings) {
        expect({ DataTraceEnabled, LoggingLevel }).toEqual({ DataTraceEnabled: false, LoggingLevel: 'OFF' });
      }
    }
    expect(idsOf('AWS::ApiGateway::Account')).toEqual([]);
  });

  test('are kept for a month; in production addresses for 90 days, all else 13 months', () => {
    const kept = everyTemplate.map((each, index) => {
      const destination = JSON.stringify(stages[index]?.Properties.AccessLogSetting.DestinationArn);
      const logs = Object.entries(resourcesOf(each, 'AWS::Logs::LogGroup'));
      expect(logs).toHaveLength(2 + WORKERS.length);
      return logs.map(
        ([id, { Properties }]) =>
          `${destination.includes(`"${id}"`) ? 'addresses' : 'others'} ${Properties.RetentionInDays}`,
      );
    });
    expect(kept.map((each) => [...new Set(each)].toSorted())).toEqual([
      ['addresses 30', 'others 30'],
      ['addresses 90', 'others 400'],
    ]);
  });
});

describe('what happens without a request', () => {
  const mappings = Object.values(resourcesOf(template, 'AWS::Lambda::EventSourceMapping'));
  const mappingOf = (name: string) =>
    mappings.find(({ Properties }) => Properties.FunctionName.Ref === functionIds.get(name))?.Properties;

  test('a fresh event wakes the runner of its mode without the tick; no other item does', () => {
    expect(mappings).toHaveLength(4);
    for (const [mode, runner] of [
      ['test', 'job-runner'],
      ['live', 'live-dispatcher'],
    ] as const) {
      const patterns = mappingOf(runner)?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) =>
        JSON.parse(Pattern),
      );
      const image = { kind: { S: [...WAKING_KINDS] }, duePk: { S: [{ prefix: DUE_PREFIXES[mode] }] } };
      expect(patterns).toEqual([{ eventName: ['INSERT', 'MODIFY'], dynamodb: { NewImage: image } }]);
      const { duePk } = dueIndex({ id: 'w', epoch: 1, mode }, 'pay_1', 0);
      expect(MODES.filter((other) => duePk.startsWith(DUE_PREFIXES[other]))).toEqual([mode]);
    }
  });

  test('live deliveries have a queue and room that test worlds cannot take', () => {
    for (const [mode, deliverer, dueId, atOnce] of [
      ['test', 'deliverer', dueIds[0], 20],
      ['live', 'live-deliverer', dueIds[1], 30],
    ] as const) {
      expect(mappingOf(deliverer)).toMatchObject({
        EventSourceArn: { 'Fn::GetAtt': [dueId, 'Arn'] },
        BatchSize: 1,
        ScalingConfig: { MaximumConcurrency: atOnce },
      });
      expect(RESERVED[deliverer]).toBeGreaterThanOrEqual(atOnce);
      expect(RUNNER_SLOTS_MAX[mode]).toBeLessThan(atOnce / 2);
    }
  });

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
  /** Resources that keep data after their stage unless they are configured to be deleted. */
  const stateful = ['AWS::DynamoDB::Table', 'AWS::Logs::LogGroup', 'AWS::SQS::Queue'];
  const policiesOf = (each: Template) =>
    Object.values<{ Type: string; DeletionPolicy?: string; UpdateReplacePolicy?: string }>(
      each.toJSON().Resources,
    ).map(({ Type, DeletionPolicy = 'Delete', UpdateReplacePolicy = 'Delete' }) => ({
      isStateful: stateful.includes(Type),
      policy: `${DeletionPolicy} ${UpdateReplacePolicy}`,
    }));

  test('a test stage leaves nothing behind', () => {
    expect(stack.terminationProtection).toBe(false);
    expect(policiesOf(template).filter(({ policy }) => policy !== 'Delete Delete')).toEqual([]);
  });

  test('production retains and protects its table, its logs and its failure queues', () => {
    expect(production.stack.terminationProtection).toBe(true);
    const kept = policiesOf(production.template).filter(({ isStateful }) => isStateful);
    expect(kept.map(({ policy }) => policy)).toEqual(kept.map(() => 'Retain Retain'));
    expect(kept.length).toBeGreaterThan(stateful.length);
    production.template.hasResourceProperties('AWS::DynamoDB::Table', {
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  test('the outputs of a stack name the API, its base URL, the table and any alarm topic', () => {
    const [inTest, inProduction] = everyTemplate.map((each) => Object.keys(each.toJSON().Outputs).toSorted());
    const names = ['ApiEndpoint4F160690', 'ApiId', 'BaseUrl', 'TableName', 'UnhandledQueueUrl'];
    expect(inTest).toEqual(names);
    expect(inProduction).toEqual(['AlarmTopicArn', ...names]);
  });
});

/** The table of operations with another method of its first one, and with more, each with reads of its own. */
function hundredOperations(): readonly Operation[] {
  const [first, ...rest] = allOperations;
  const read = ['payment', 'refund', 'paymentLink', 'payout', 'settlement', 'endpoint', 'sink'] as const;
  const more = Array.from(
    { length: 100 - allOperations.length },
    (_, number): Operation => ({
      ...paymentOperations.getPayment,
      id: `payments.GetThing${number}`,
      path: `/api/v1/things${number}/{id}`,
      reads: read.filter((_name, index) => ((number + 3) >> index) % 2 === 1),
    }),
  );
  return [{ ...(first as Operation), method: 'PATCH' }, ...rest, ...more];
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
  return new Map(
    Object.entries(paths).flatMap(([path, held]) =>
      METHODS.flatMap((method) => {
        const said = held[method.toLowerCase()] ?? held[ANY_METHOD];
        const parts = said?.['x-amazon-apigateway-integration'].uri['Fn::Join'][1] ?? [];
        const [functionId] = parts.flatMap((part) => part['Fn::GetAtt'] ?? []);
        return functionId === undefined ? [] : [[`${method} ${path}`, functionId] as const];
      }),
    ),
  );
}

function idsOf(type: string, each: Template = template): string[] {
  return Object.keys(resourcesOf(each, type));
}

/** The logical id that a reference means: its resource, or one of its attributes. */
function idOf(reference: { Ref?: string; 'Fn::GetAtt'?: string[] }): string | undefined {
  return reference.Ref ?? reference['Fn::GetAtt']?.[0];
}

function functionOf(name: string, each: Template = template) {
  return resourcesOf(each, 'AWS::Lambda::Function')[functionIds.get(name) ?? '']?.Properties;
}

function variablesOf(name: string, each: Template = template): Readonly<Record<string, unknown>> {
  return functionOf(name, each).Environment?.Variables ?? {};
}

/** The values of a variable, of all functions that have it. */
function valuesOf(variable: string, each: Template = template): unknown[] {
  return Object.values(resourcesOf(each, 'AWS::Lambda::Function')).flatMap(
    ({ Properties }) => Properties.Environment?.Variables?.[variable] ?? [],
  );
}

function logOf(name: string): string {
  return functionOf(name).LoggingConfig.LogGroup.Ref;
}

/** `dynamodb:GetItem on Table`, `sqs:SendMessage on ClockAndJobsUnhandled`, … */
function grantsOf(roleId: string): string[] {
  return statementsOfRole(roleId).flatMap(({ actions, arns }) =>
    actions.flatMap((action) => arns.map((arn) => `${action} on ${placeOf(arn)}`)),
  );
}

function placeOf(arn: unknown): string {
  const [, id = '', attribute, rest = ''] = /^<(\w+)[.](\w+)>(.*)$/.exec(textOf(arn)) ?? [];
  if (id === '') {
    return textOf(arn);
  }
  const isLog = id in resourcesOf(template, 'AWS::Logs::LogGroup');
  return `${isLog ? 'logs of ' : attribute === 'StreamArn' ? 'the stream of ' : ''}${plain(id)}${rest}`;
}

/** A logical id without the hash at its end. */
function plain(id: string): string {
  return id.replace(/[0-9A-F]{8}$/, '');
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
