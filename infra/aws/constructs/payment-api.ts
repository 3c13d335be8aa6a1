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
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { functionNameOf, isStatic, type Operation } from '../../../shared/contract/operation.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { STACK_DIMENSION } from '../../../shared/telemetry/metrics.ts';
import { API_ID_PLACE } from '../base-url.ts';
import { type AccessFields, grantsOfRows, movesMoney, roleOf } from '../grants.ts';
import { gatewayDocument } from './gateway-document.ts';
import { LiveAlias } from './live-alias.ts';
import {
  FunctionLog,
  FunctionRole,
  type LogKeepingProps,
  PaymentFunction,
  TEST_LOG_RETENTION,
} from './payment-function.ts';

/** The first segment of every path, as the gateway's own address has them. */
export const STAGE_NAME = 'api';

/**
 * The rate limit of each method: calls a second, and the burst above that. Further calls get a 429.
 *
 * This also limits the concurrency of each function, so no function that requires a key has a reservation, which would
 * reduce the concurrency of all others. At 50 milliseconds a call, 1,000 a second are 50 at once. If every call hangs,
 * at most the burst and the calls of one time-out are running before the first of them end.
 * @internal
 */
export const THROTTLE = {
  /** More than parallel tests need. */
  test: { throttlingRateLimit: 200, throttlingBurstLimit: 400 },
  /** As many as one merchant's counter can number, and a tenth of AWS's limit for an account. */
  production: { throttlingRateLimit: 1_000, throttlingBurstLimit: 2_000 },
  /** For methods without a key, in production: a third, so that public calls leave room for those of merchants. */
  publicInProduction: { throttlingRateLimit: 300, throttlingBurstLimit: 600 },
  /** For every method of a paused stage. */
  paused: { throttlingRateLimit: 0, throttlingBurstLimit: 0 },
} as const;

/**
 * The concurrency, in production, of each public function. At 50 milliseconds a call this is more than the throttle
 * lets in. If calls hang, each function takes at most this much of the account's 1,000.
 */
const PUBLIC_CONCURRENCY = 20;

/** The concurrency, in production, of each function whose response depends on its code alone: a few milliseconds. */
const STATIC_CONCURRENCY = 3;

/**
 * The concurrency, in production, of each function that waits for merchants' own servers, by operation. A server that
 * never responds holds a ping for 5 seconds, and a move of the clock for 10. Test stages reserve nothing: see RESERVED
 * in clock-and-jobs.ts.
 */
const WAITING_CONCURRENCY: Readonly<Record<string, number>> = {
  'webhooks.SendTestEvent': 20,
  'testkit.AdvanceClock': 50,
};

/** Enough for the functions that one stack can hold. Another number would move functions to other policies. */
const CALLER_POLICIES = 4;

/** Long enough to investigate abuse that is reported late. Only this log and the firewall's have the addresses of people. */
export const ACCESS_LOG_RETENTION = RetentionDays.THREE_MONTHS;

/**
 * A line per request, including those that the gateway or its firewall refuses. This log and the firewall's alone have the client's address.
 * The caller and the operation are in the function's log, in the line with the same request id. The line has no header,
 * query or body. The path is the route's template, since a real path can hold an id or a token.
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

type FunctionRow = AccessFields & Pick<Operation, 'id' | 'timeoutSeconds'>;

/** The function for unknown routes, which needs no key and no access to the table. */
const UNKNOWN_ROUTE: FunctionRow = {
  id: 'service.AnswerUnknownRoute',
  permission: null,
  mode: 'any',
  idempotent: false,
};

/** A function with its alias, where it has one. */
interface ServedFunction {
  readonly code: PaymentFunction;
  readonly alias: LiveAlias | null;
}

interface PaymentApiProps extends LogKeepingProps {
  /** The operations that it serves. */
  readonly operations: readonly Operation[];
  /** The environment variables of every function. */
  readonly environment: Readonly<Record<string, string>>;
  /** The types of bodies that the gateway sends on as bytes. */
  readonly binaryMediaTypes: readonly string[];
  /** The public address, if it is not API Gateway's. */
  readonly configuredUrl: string | undefined;
  /** Whether a domain of one's own leads to it, so that API Gateway's address need not: the firewall would let it in, too. */
  readonly isAtDomain: boolean;
  readonly table: ITable;
  /** Whether it takes no requests: API Gateway answers each with 429. */
  readonly isPaused: boolean;
}

/** A route and a function for every operation, and one function for all other requests. */
export class PaymentApi extends Construct {
  readonly gateway: SpecRestApi;
  /** The base URL of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly accessLog: LogGroup;
  /** The log of every function of the API. */
  readonly functionLog: LogGroup;

  constructor(scope: Construct, id: string, props: PaymentApiProps) {
    super(scope, id);
    const { configuredUrl, operations, binaryMediaTypes, isProduction, removalPolicy, isPaused } = props;
    const { stackName } = Stack.of(this);
    this.accessLog = new LogGroup(scope, `${id}AccessLog`, {
      retention: isProduction ? ACCESS_LOG_RETENTION : TEST_LOG_RETENTION,
      removalPolicy,
    });
    this.functionLog = new FunctionLog(this, 'FunctionLog', props);
    const functions = this.#addFunctions(props);
    const document = gatewayDocument({
      title: stackName,
      rows: operations,
      uriOf: (row) => uriOf(functions.get(row?.id ?? UNKNOWN_ROUTE.id)),
      credentials: this.#addCaller(functions).roleArn,
      binaryMediaTypes,
      baseUrl: configuredUrl?.replace(API_ID_PLACE, '$context.apiId'),
    });
    // The id `Default` keeps the logical ids of this construct: another id would make a new API with a new address.
    this.gateway = new SpecRestApi(this, 'Default', {
      apiDefinition: ApiDefinition.fromInline(document),
      restApiName: stackName,
      endpointTypes: [EndpointType.REGIONAL],
      ...(props.isAtDomain && { disableExecuteApiEndpoint: true }),
      // In the document too: its import sets them, and the properties of the API are set again afterwards.
      binaryMediaTypes: [...binaryMediaTypes],
      deployOptions: {
        stageName: STAGE_NAME,
        ...(isProduction ? THROTTLE.production : THROTTLE.test),
        ...(isProduction && { methodOptions: publicMethods(operations) }),
        ...(isPaused && { ...THROTTLE.paused, methodOptions: {} }),
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        // The stack, so that metrics that count lines of the log have the dimension that every metric has.
        accessLogFormat: AccessLogFormat.custom(
          JSON.stringify({ [STACK_DIMENSION]: stackName, ...ACCESS_LOG_FIELDS }),
        ),
      },
      // It would be a setting of the whole account and region, which other stages share: see GatewayLogsStack.
      cloudWatchRole: false,
    });
    if (isProduction) {
      this.#refuseOldTls();
    }
    this.baseUrl = this.#findBaseUrl(configuredUrl);
  }

  /** The function of every operation, by operation id. Each has the role that fits its row, and all share a log. */
  #addFunctions({
    operations,
    environment,
    table,
    isProduction,
  }: PaymentApiProps): ReadonlyMap<string, ServedFunction> {
    const byRole = Map.groupBy<string, FunctionRow>([...operations, UNKNOWN_ROUTE], roleOf);
    const log = this.functionLog;
    const functions = [...byRole].flatMap(([name, rows]) => {
      const role = new FunctionRole(this, `${name}-role`, {
        table,
        grants: grantsOfRows(rows),
        talksToProvider: rows.some(({ provider }) => provider === true),
      });
      return rows.map((row) => {
        const { id, timeoutSeconds } = row;
        const reservedConcurrency = isProduction ? reservedFor(row) : undefined;
        const props = { role, log, environment, timeoutSeconds, reservedConcurrency };
        const code = new PaymentFunction(this, functionNameOf(row), props);
        return [id, { code, alias: isProduction && movesMoney(row) ? new LiveAlias(code) : null }] as const;
      });
    });
    return new Map(functions);
  }

  /**
   * The role with which API Gateway calls these functions and no others. It has several policies, since one can name
   * only some 50 functions (6,144 characters) and a role has at most 10. A function stays in its policy whatever others
   * come and go, and is named beside its alias, so that no call is refused while a stage is deployed again.
   */
  #addCaller(functions: ReadonlyMap<string, ServedFunction>): Role {
    const sumOf = (id: string) => [...id].reduce((sum, sign) => sum + sign.charCodeAt(0), 0);
    const shares = Map.groupBy(functions, ([id]) => sumOf(id) % CALLER_POLICIES);
    const policies = [...shares].map(
      ([share, held]) =>
        new ManagedPolicy(this, `Call ${share}`, {
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: held.flatMap(([, { code, alias }]) =>
                [code.functionArn, alias?.functionArn ?? []].flat(),
              ),
            }),
          ],
        }),
    );
    return new Role(this, 'Caller', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: policies,
    });
  }

  /** Functions get the base URL from the API's stage, not their environment, since the API is created after them. */
  #findBaseUrl(configuredUrl: string | undefined): string {
    const { restApiId, deploymentStage } = this.gateway;
    if (configuredUrl === undefined) {
      const { region, urlSuffix } = Stack.of(this);
      return `https://${restApiId}.execute-api.${region}.${urlSuffix}/${STAGE_NAME}`;
    }
    const baseUrl = configuredUrl.replace(API_ID_PLACE, restApiId);
    (deploymentStage.node.defaultChild as CfnStage).variables = { [VARIABLES.baseUrl]: baseUrl };
    return baseUrl;
  }

  /**
   * Refuses TLS before 1.2, which a regional API would still accept. CDK has no property for it yet. API Gateway takes
   * minutes to apply it, which is too long for a test stage.
   */
  #refuseOldTls(): void {
    const api = this.gateway.node.defaultChild as CfnRestApi;
    api.securityPolicy = SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09;
    api.endpointAccessMode = 'BASIC';
  }
}

/** How many of a function may run at once in production. */
function reservedFor(row: FunctionRow): number | undefined {
  if (isStatic(row)) {
    return STATIC_CONCURRENCY;
  }
  return row.permission === null ? PUBLIC_CONCURRENCY : WAITING_CONCURRENCY[row.id];
}

/** The URI of a function, as API Gateway names it. */
function uriOf(of: ServedFunction | undefined): string {
  if (of === undefined) {
    throw new Error('a route has no function');
  }
  const { functionArn } = of.alias ?? of.code;
  const { partition, region } = Stack.of(of.code);
  return `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;
}

/** The throttle of every method that needs no key. */
function publicMethods(operations: readonly Operation[]): Record<string, MethodDeploymentOptions> {
  const open = operations.filter(({ permission }) => permission === null);
  return Object.fromEntries(
    open.map(({ path, method }) => [`${path}/${method}`, THROTTLE.publicInProduction]),
  );
}
