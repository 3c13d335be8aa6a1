import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { readBaseUrl } from '../../../infra/aws/base-url.ts';
import { methodsOf, UNKNOWN_ROUTE_FUNCTION } from '../../../shared/contract/routes.ts';
import { STAND_IN_BINARY_TYPES } from '../../../shared/contract/stand-in-gateway.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { entryOf, isErrorCode } from '../../../shared/errors/catalogue.ts';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { textOf } from './describe-template.ts';
import {
  chosen,
  documentOf,
  functionIds,
  functionNames,
  gateway,
  idOf,
  idsOf,
  longer,
  METHODS,
  OWN_ANSWERS,
  production,
  rows,
  statementsOfRole,
  template,
  valuesOf,
  WORKERS,
} from './stages.ts';

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

const ANY_METHOD = 'x-amazon-apigateway-any-method';

const routes = routesOf(gateway);

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
