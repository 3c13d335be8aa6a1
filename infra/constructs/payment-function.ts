import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { BUS_NAME_VARIABLE } from '../../shared/contract/bus.ts';
import { STACK_VARIABLE } from '../../shared/contract/metrics.ts';
import { FUNCTION_TIMEOUT_SECONDS } from '../../shared/contract/operation.ts';
import { TABLE_NAME_VARIABLE } from '../../shared/store/table.ts';
import { grantsOf } from '../grants.ts';

/** How every function is bundled. */
export const BUNDLING = {
  // Not ESM: of each builtin that an ES module imports, Node reads every export, and one of node:http loads all of
  // fetch. A start is a sixth faster without.
  format: OutputFormat.CJS,
  target: 'node24',
  mainFields: ['module', 'main'],
  // The SDK too: the one that the tests ran with, and a faster start than Lambda's own, which is not minified.
  externalModules: [],
  minify: true,
  // Traces name files and lines of this repository. Without the sources, for Node reads the map at every start.
  sourceMap: true,
  sourcesContent: false,
  logLevel: LogLevel.WARNING,
} satisfies BundlingOptions;

/** CPU comes with memory. A start is mostly CPU (the SDK is loaded and TLS is set up): this is over half a core. */
const MEMORY_MB = 1_024;

/**
 * In production as long as events are kept, so that what was done to a payment can be looked up; of a test stage as long
 * as a refund can be asked for.
 */
export const LOG_RETENTION = { production: RetentionDays.THIRTEEN_MONTHS, test: RetentionDays.SIX_MONTHS };

/** Where the code of a function lies. */
export function entryOf(name: string): string {
  return fileURLToPath(new URL(`../../functions/${name}.ts`, import.meta.url));
}

export interface PaymentFunctionProps {
  readonly isProduction: boolean;
  /** What becomes of its logs when the stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
  readonly timeoutSeconds?: number | undefined;
  /** How many may run at once, of the account's number. */
  readonly reservedConcurrency?: number | undefined;
}

/** The Lambda function of a file in `functions/`, by its name: `get-payment`, `workers/job-runner`. */
export class PaymentFunction extends NodejsFunction {
  readonly #name: string;

  constructor(
    scope: Construct,
    name: string,
    {
      isProduction,
      removalPolicy,
      timeoutSeconds = FUNCTION_TIMEOUT_SECONDS,
      reservedConcurrency,
    }: PaymentFunctionProps,
  ) {
    const id = path.basename(name);
    const logGroup = new LogGroup(scope, `${id}-log`, {
      retention: isProduction ? LOG_RETENTION.production : LOG_RETENTION.test,
      removalPolicy,
    });
    // Not AWS's own policy for logs, which allows every log group of the account.
    const role = new Role(scope, `${id}-role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      entry: entryOf(name),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      bundling: BUNDLING,
      environment: { NODE_OPTIONS: '--enable-source-maps' },
      memorySize: MEMORY_MB,
      timeout: Duration.seconds(timeoutSeconds),
      logGroup,
      role,
      // Where none is asked for, what throttles the callers does: see THROTTLE in payment-api.ts.
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
    });
    this.#name = name;
  }

  /**
   * Names the table to the function and grants it what it may do there, in one act, so that neither goes without the
   * other. Not CDK's `grant…`, which always adds every index.
   */
  bindTable(table: Table): void {
    const grants = grantsOf(this.#name);
    for (const { actions, on, keys, attributes } of grants) {
      this.addToRolePolicy(
        new PolicyStatement({
          actions: [...actions],
          resources: [on === 'table' ? table.tableArn : `${table.tableArn}/index/${on}`],
          conditions: {
            // Of every item that a call names; of an index, its own partition key. Where a call named none, this would
            // hold: a scan and PartiQL, which nobody is granted.
            'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
            ...(attributes && {
              'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
              // An answer with the whole item would be a read.
              StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
            }),
          },
        }),
      );
    }
    if (grants.length > 0) {
      this.addEnvironment(TABLE_NAME_VARIABLE, table.tableName);
    }
  }

  /** Names its stack to a function that reports metrics. */
  nameStack(): void {
    this.addEnvironment(STACK_VARIABLE, Stack.of(this).stackName);
  }

  /** Names a bus to the function and lets it speak there. */
  bindBus(bus: EventBus): void {
    this.addEnvironment(BUS_NAME_VARIABLE, bus.eventBusName);
    this.addToRolePolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
    );
  }
}
