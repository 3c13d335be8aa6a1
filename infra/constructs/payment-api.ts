import { Stack } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  type CfnRestApi,
  type CfnStage,
  EndpointType,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  SecurityPolicy,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { BASE_URL_VARIABLE } from '../../shared/contract/base-url.ts';
import { functionNameOf, type Operation } from '../../shared/contract/operation.ts';
import { UNKNOWN_ROUTE_FUNCTION } from '../../shared/contract/routes.ts';
import { STACK_DIMENSION } from '../../shared/telemetry/metrics.ts';
import { API_ID_PLACE } from '../base-url.ts';
import { type Accessing, describeAccess, grantsOfOperation } from '../grants.ts';
import { BINARY_MEDIA_TYPES, gatewayDocument } from './gateway-document.ts';
import { FunctionLog, FunctionRole, type Keeping, PaymentFunction } from './payment-function.ts';

const STAGE_NAME = 'api';

/**
 * How often each method may be called: calls a second, and how many at once above that. More is answered 429.
 *
 * This also bounds how many of a function run at once, so none that asks for a key has a reservation, which all others
 * would lack. Where a call takes 50 milliseconds, 1,000 a second are 50 at once; should every call hang, no more than
 * the burst and the calls of one time-out are under way before the first of them end.
 */
export const THROTTLE = {
  /** More than tests in parallel ask for. */
  test: { throttlingRateLimit: 200, throttlingBurstLimit: 400 },
  /** What one merchant's counter can number, and a tenth of what AWS allows an account. */
  production: { throttlingRateLimit: 1_000, throttlingBurstLimit: 2_000 },
  /** What asks for no key, in production: a third, so that anybody's calls leave room for those of merchants. */
  publicInProduction: { throttlingRateLimit: 300, throttlingBurstLimit: 600 },
} as const;

/**
 * How many may run at once, in production, of each function that anybody can call. At 50 milliseconds a call this is
 * more than their throttle lets in; where their calls hang, they take so much of the account's 1,000 and no more.
 */
export const PUBLIC_CONCURRENCY = 20;

/**
 * How many may run at once, in production, of each function that waits for merchants' own servers, by its operation: one
 * that never answers holds a ping for 5 seconds, and a move of the clock for 10. Test stages reserve nothing: see
 * RESERVED in clock-and-jobs.ts.
 */
export const WAITING_CONCURRENCY: Readonly<Record<string, number>> = {
  'webhooks.SendTestEvent': 20,
  'testkit.AdvanceClock': 50,
};

/** Enough for what one stack can hold. Another number would name functions in other policies. */
const CALLER_POLICIES = 4;

/** Long enough to look into an abuse that is reported late: it is the one place that has addresses of people. */
export const ACCESS_LOG_RETENTION = RetentionDays.THREE_MONTHS;

/**
 * A line per request, those too that the gateway or its firewall refuses. Here alone is the address that a request came
 * from; who asked, and for what, is in the function's own log, in the line with the same request id. No header, no
 * query, no body, and the path as the route has it, for an id or a token in it would say more.
 */
const ACCESS_LOG_FIELDS = {
  time: AccessLogField.contextRequestTime(),
  request_id: AccessLogField.contextRequestId(),
  extended_request_id: AccessLogField.contextExtendedRequestId(),
  source_ip: AccessLogField.contextIdentitySourceIp(),
  method: AccessLogField.contextHttpMethod(),
  resource: AccessLogField.contextResourcePath(),
  status: AccessLogField.contextStatus(),
  latency_ms: AccessLogField.contextResponseLatency(),
  function_latency_ms: AccessLogField.contextIntegrationLatency(),
  response_bytes: AccessLogField.contextResponseLength(),
  error_type: AccessLogField.contextErrorResponseType(),
  firewall: AccessLogField.contextWafResponseCode(),
} as const;

/** Whatever no operation has: it asks for no key, and for nothing of the table. */
const UNKNOWN_ROUTE = {
  id: 'service.UnknownRoute',
  permission: null,
  idempotent: false,
  storage: 'none',
} as const;

interface PaymentApiProps extends Keeping {
  /** What it serves. */
  readonly operations: readonly Operation[];
  /** What every function is told. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where people reach it, if not where API Gateway puts it. */
  readonly configuredUrl: string | undefined;
  readonly table: Table;
}

/** A route and a function for every operation, and one function for whatever else is asked. */
export class PaymentApi extends Construct {
  readonly gateway: SpecRestApi;
  /** Where the service answers, without a slash at the end. */
  readonly baseUrl: string;
  readonly accessLog: LogGroup;
  /** Of every function of the API. */
  readonly functionLog: LogGroup;

  constructor(scope: Construct, id: string, props: PaymentApiProps) {
    super(scope, id);
    const { configuredUrl, operations, isProduction, removalPolicy } = props;
    const { stackName } = Stack.of(this);
    this.accessLog = new LogGroup(scope, `${id}AccessLog`, {
      retention: ACCESS_LOG_RETENTION,
      removalPolicy,
    });
    this.functionLog = new FunctionLog(this, 'FunctionLog', props);
    const functions = this.#addFunctions(props);
    const document = gatewayDocument({
      title: stackName,
      rows: operations,
      uriOf: (row) => uriOf(functions.get(row?.id ?? UNKNOWN_ROUTE.id)),
      credentials: this.#addCaller(functions).roleArn,
      baseUrl: configuredUrl?.replace(API_ID_PLACE, '$context.apiId'),
    });
    // As the one in here it leaves its logical ids to be those of the whole: another id would be another address.
    this.gateway = new SpecRestApi(this, 'Default', {
      apiDefinition: ApiDefinition.fromInline(document),
      restApiName: stackName,
      endpointTypes: [EndpointType.REGIONAL],
      // In the document too: an API is given the one by its import, and the other by what is set on it afterwards.
      binaryMediaTypes: BINARY_MEDIA_TYPES,
      deployOptions: {
        stageName: STAGE_NAME,
        ...(isProduction ? THROTTLE.production : THROTTLE.test),
        ...(isProduction && { methodOptions: publicMethods(operations) }),
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        // The stack, for what is counted in the log to have the dimension that every metric has.
        accessLogFormat: AccessLogFormat.custom(
          JSON.stringify({ [STACK_DIMENSION]: stackName, ...ACCESS_LOG_FIELDS }),
        ),
      },
      // It would be one setting for the whole account and region, which other stages share: see GatewayLogsStack.
      cloudWatchRole: false,
    });
    if (isProduction) {
      this.#refuseOldTls();
    }
    this.baseUrl = this.#findBaseUrl(configuredUrl);
  }

  /** The function of every operation, by its id. Those that may do the same share a role, and all of them a log. */
  #addFunctions(props: PaymentApiProps): ReadonlyMap<string, PaymentFunction> {
    const { operations, environment, table, isProduction } = props;
    const roles = new Map<string, FunctionRole>();
    const roleOf = (row: Accessing): FunctionRole => {
      const access = describeAccess(row);
      const role =
        roles.get(access) ??
        new FunctionRole(this, access, {
          log: this.functionLog,
          table,
          grants: grantsOfOperation(row),
          talksToProvider: row.provider === true,
        });
      roles.set(access, role);
      return role;
    };
    const reservedFor = ({ id, permission }: Pick<Operation, 'id' | 'permission'>) =>
      permission === null ? PUBLIC_CONCURRENCY : WAITING_CONCURRENCY[id];
    const add = (name: string, row: Accessing & Pick<Operation, 'id' | 'timeoutSeconds'>) =>
      new PaymentFunction(this, name, {
        role: roleOf(row),
        environment,
        timeoutSeconds: row.timeoutSeconds,
        reservedConcurrency: isProduction ? reservedFor(row) : undefined,
      });
    return new Map([
      ...operations.map((row) => [row.id, add(functionNameOf(row), row)] as const),
      [UNKNOWN_ROUTE.id, add(UNKNOWN_ROUTE_FUNCTION, UNKNOWN_ROUTE)],
    ]);
  }

  /**
   * What API Gateway calls the functions as: these alone. In several policies, for one can name no more than some 50
   * functions (6,144 characters), and a role has no more than 10. What is named in one stays there, whatever else comes
   * and goes, so that nothing is refused while a stage is deployed again.
   */
  #addCaller(functions: ReadonlyMap<string, PaymentFunction>): Role {
    const sumOf = (id: string) => [...id].reduce((sum, sign) => sum + sign.charCodeAt(0), 0);
    const shares = Map.groupBy(functions, ([id]) => sumOf(id) % CALLER_POLICIES);
    const policies = [...shares].map(
      ([share, held]) =>
        new ManagedPolicy(this, `Call ${share}`, {
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: held.map(([, { functionArn }]) => functionArn),
            }),
          ],
        }),
    );
    return new Role(this, 'Caller', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: policies,
    });
  }

  /** Functions cannot be told in their environment where the API is, for it is made of them: its stage tells them. */
  #findBaseUrl(configuredUrl: string | undefined): string {
    const { restApiId, deploymentStage } = this.gateway;
    if (configuredUrl === undefined) {
      const { region, urlSuffix } = Stack.of(this);
      return `https://${restApiId}.execute-api.${region}.${urlSuffix}/${STAGE_NAME}`;
    }
    const baseUrl = configuredUrl.replace(API_ID_PLACE, restApiId);
    (deploymentStage.node.defaultChild as CfnStage).variables = { [BASE_URL_VARIABLE]: baseUrl };
    return baseUrl;
  }

  /**
   * Refuses TLS before 1.2, which a regional API would still accept. CDK has no property for it yet. It takes API
   * Gateway minutes to put into effect, for which no test stage should wait.
   */
  #refuseOldTls(): void {
    const api = this.gateway.node.defaultChild as CfnRestApi;
    api.securityPolicy = SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09;
    api.endpointAccessMode = 'BASIC';
  }
}

/** A function in API Gateway's words. */
function uriOf(of: PaymentFunction | undefined): string {
  if (of === undefined) {
    throw new Error('a route has no function');
  }
  const { partition, region } = Stack.of(of);
  return `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${of.functionArn}/invocations`;
}

/** The throttle of every method that asks for no key. */
function publicMethods(operations: readonly Operation[]): Record<string, MethodDeploymentOptions> {
  const open = operations.filter(({ permission }) => permission === null);
  return Object.fromEntries(
    open.map(({ path, method }) => [`${path}/${method}`, THROTTLE.publicInProduction]),
  );
}
