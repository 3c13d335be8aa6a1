import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Operation } from '../../shared/contract/operation.ts';
import { allOperations, withoutTestKit } from '../../shared/contract/operations.ts';
import { type GatewayKind, STAND_IN_BINARY_TYPES } from '../../shared/contract/stand-in-gateway.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { ClockAndJobs } from './constructs/clock-and-jobs.ts';
import { BINARY_MEDIA_TYPES } from './constructs/gateway-document.ts';
import { Observability } from './constructs/observability.ts';
import { PaymentApi } from './constructs/payment-api.ts';
import { PaymentTable } from './constructs/payment-table.ts';
import { Tracing } from './constructs/tracing.ts';
import { WebFirewall } from './constructs/web-firewall.ts';
import { readProviderOrigins } from './provider-origins.ts';
import type { TracesChoice } from './traces.ts';

interface PaymentStackProps extends StackProps {
  /** Whether the stage holds data that must not be lost. */
  readonly isProduction: boolean;
  /** The public address, if it is not API Gateway's: see `base-url.ts`. */
  readonly baseUrl?: string;
  /** Whether it has alarms, with their topic, metric filters and dashboard: by default, production has. */
  readonly hasAlarms?: boolean;
  /** The email address that gets alarms. */
  readonly alarmEmail?: string | undefined;
  /** Whether it has the operations of the test kit: by default, it has. */
  readonly hasTestKit?: boolean;
  /** Whose gateway it gets: by default, AWS's. */
  readonly gateway?: GatewayKind;
  /** Who records its traces: by default, nobody. */
  readonly traces?: TracesChoice;
  /** The table of operations that it serves, if not the service's own. */
  readonly operations?: readonly Operation[];
}

/** All resources of one stage of the service. */
export class PaymentStack extends Stack {
  readonly isProduction: boolean;
  /** Who records its traces. */
  readonly traces: TracesChoice;

  constructor(scope: Construct, id: string, props: PaymentStackProps) {
    const { isProduction, baseUrl, alarmEmail, hasTestKit = true, gateway = 'aws', ...rest } = props;
    const {
      operations = allOperations,
      hasAlarms = isProduction,
      traces = { kind: 'off' },
      ...stackProps
    } = rest;
    // One line: a template may have 1 MB, of which indentation would be a third.
    super(scope, id, {
      terminationProtection: isProduction,
      suppressTemplateIndentation: true,
      ...stackProps,
    });
    this.isProduction = isProduction;
    this.traces = traces;
    if (isProduction && Object.keys(readProviderOrigins(this.node)).length > 0) {
      throw new Error('Real money goes to the providers themselves: name no other origin in production.');
    }
    const removalPolicy = isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const table = new PaymentTable(this, 'Table', { isProtected: isProduction, removalPolicy });
    const shared = { table, isProduction, removalPolicy };
    const api = new PaymentApi(this, 'Api', {
      ...shared,
      operations: hasTestKit ? operations : withoutTestKit(operations),
      environment: {
        ...(!hasTestKit && { [VARIABLES.testKit]: 'off' }),
        ...(gateway !== 'aws' && { [VARIABLES.gateway]: gateway }),
      },
      binaryMediaTypes:
        gateway === 'aws' ? BINARY_MEDIA_TYPES : [...BINARY_MEDIA_TYPES, ...STAND_IN_BINARY_TYPES],
      configuredUrl: baseUrl,
    });
    if (isProduction) {
      new WebFirewall(this, 'Firewall', api);
    }
    const workers = new ClockAndJobs(this, 'ClockAndJobs', { ...shared, baseUrl: api.baseUrl });
    if (traces.kind !== 'off') {
      new Tracing(this, 'Tracing', { api, traces, isProduction });
    }
    if (hasAlarms) {
      new Observability(this, 'Observability', { api, table, workers, isProduction, alarmEmail });
    }

    new CfnOutput(this, 'ApiId', { value: api.gateway.restApiId });
    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'UnhandledQueueUrl', { value: workers.unhandled.queueUrl });
  }
}
