import { type RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  type CfnRestApi,
  type CfnStage,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  ResourceBase,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { BASE_URL_VARIABLE } from '../../shared/contract/base-url.ts';
import { STACK_DIMENSION } from '../../shared/contract/metrics.ts';
import { functionNameOf } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { methodsOf, UNKNOWN_ROUTE_FUNCTION } from '../../shared/contract/routes.ts';
import { API_ID_PLACE } from '../base-url.ts';
import { answerOwnProblems } from './gateway-problems.ts';
import { PaymentFunction } from './payment-function.ts';

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

/**
 * One permission for the whole API: one for each method of a function would be many resources, and for the one that
 * answers everything else would outgrow what a function's policy can hold (20 KB).
 */
const ONE_PERMISSION = { scopePermissionToMethod: false };

interface PaymentApiProps {
  /** Where people reach it, if not where API Gateway puts it. */
  readonly configuredUrl: string | undefined;
  readonly table: Table;
  readonly isProduction: boolean;
  readonly removalPolicy: RemovalPolicy;
}

/** A route and a function for every operation, and one function for whatever else is asked. */
export class PaymentApi extends RestApi {
  /** Where the service answers, without a slash at the end. */
  readonly baseUrl: string;
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, props: PaymentApiProps) {
    const { configuredUrl, table, isProduction, removalPolicy } = props;
    const { stackName } = Stack.of(scope);
    const accessLog = new LogGroup(scope, `${id}AccessLog`, {
      retention: ACCESS_LOG_RETENTION,
      removalPolicy,
    });
    super(scope, id, {
      restApiName: stackName,
      endpointTypes: [EndpointType.REGIONAL],
      // Bodies are handed over as bytes: as text, what is no UTF-8 would have been replaced by then.
      binaryMediaTypes: ['*/*'],
      deployOptions: {
        stageName: STAGE_NAME,
        ...(isProduction ? THROTTLE.production : THROTTLE.test),
        ...(isProduction && { methodOptions: publicMethods() }),
        accessLogDestination: new LogGroupLogDestination(accessLog),
        // The stack, for what is counted in the log to have the dimension that every metric has.
        accessLogFormat: AccessLogFormat.custom(
          JSON.stringify({ [STACK_DIMENSION]: stackName, ...ACCESS_LOG_FIELDS }),
        ),
      },
      // It would be one setting for the whole account and region, which other stages share: see GatewayLogsStack.
      cloudWatchRole: false,
    });
    this.accessLog = accessLog;
    if (isProduction) {
      this.#refuseOldTls();
    }
    this.baseUrl = this.#findBaseUrl(configuredUrl);
    const addFunction = (name: string, isPublic: boolean, timeoutSeconds?: number) => {
      const reservedConcurrency = isProduction && isPublic ? PUBLIC_CONCURRENCY : undefined;
      const added = new PaymentFunction(this, name, {
        isProduction,
        removalPolicy,
        timeoutSeconds,
        reservedConcurrency,
      });
      added.bindTable(table);
      return added;
    };

    for (const row of allOperations) {
      const operation = addFunction(functionNameOf(row), row.permission === null, row.timeoutSeconds);
      const resource = this.root.resourceForPath(row.path);
      const integration = new LambdaIntegration(operation, ONE_PERMISSION);
      for (const method of methodsOf(row)) {
        resource.addMethod(method, integration);
      }
    }

    this.root.resourceForPath('{proxy+}');
    const unknownRoute = new LambdaIntegration(addFunction(UNKNOWN_ROUTE_FUNCTION, true), ONE_PERMISSION);
    // Every resource, those on the way to an operation too: API Gateway does not look further than the best match.
    for (const resource of this.node.findAll().filter((child) => child instanceof ResourceBase)) {
      resource.addMethod('ANY', unknownRoute);
    }
    answerOwnProblems(this, configuredUrl && this.baseUrl);
  }

  /** Functions cannot be told in their environment where the API is, for it is made of them: its stage tells them. */
  #findBaseUrl(configuredUrl: string | undefined): string {
    if (configuredUrl === undefined) {
      const { region, urlSuffix } = Stack.of(this);
      return `https://${this.restApiId}.execute-api.${region}.${urlSuffix}/${STAGE_NAME}`;
    }
    const baseUrl = configuredUrl.replace(API_ID_PLACE, this.restApiId);
    (this.deploymentStage.node.defaultChild as CfnStage).variables = { [BASE_URL_VARIABLE]: baseUrl };
    return baseUrl;
  }

  /**
   * Refuses TLS before 1.2, which a regional API would still accept. CDK has no property for it yet. It takes API
   * Gateway minutes to put into effect, for which no test stage should wait.
   */
  #refuseOldTls(): void {
    const api = this.node.defaultChild as CfnRestApi;
    api.securityPolicy = SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09;
    api.endpointAccessMode = 'BASIC';
  }
}

/** The throttle of every method that asks for no key. */
function publicMethods(): Record<string, MethodDeploymentOptions> {
  const open = allOperations.filter(({ permission }) => permission === null);
  return Object.fromEntries(
    open.map(({ path, method }) => [`${path}/${method}`, THROTTLE.publicInProduction]),
  );
}
