import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { FUNCTION_TIMEOUT_SECONDS } from '../../shared/contract/operation.ts';
import { TABLE_NAME_VARIABLE } from '../../shared/store/table.ts';
import type { Grant } from '../grants.ts';

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

/** Whether a stage holds what must not be lost, and so what becomes of its logs when it is deleted. */
export interface Keeping {
  readonly isProduction: boolean;
  readonly removalPolicy: RemovalPolicy;
}

/** Where functions write their log. */
export class FunctionLog extends LogGroup {
  constructor(scope: Construct, id: string, { isProduction, removalPolicy }: Keeping) {
    const retention = isProduction ? LOG_RETENTION.production : LOG_RETENTION.test;
    super(scope, id, { retention, removalPolicy });
  }
}

interface FunctionRoleProps {
  readonly log: LogGroup;
  readonly table: Table;
  readonly grants: readonly Grant[];
  /** What it may do beyond its log and the table. */
  readonly others?: readonly PolicyStatement[];
}

/**
 * What functions run as that may do the same. It is all in the role itself: not AWS's own policy for logs, which allows
 * every log group of the account, and not CDK's `grant…`, which always adds every index.
 */
export class FunctionRole extends Role {
  readonly log: LogGroup;
  /** Names the table to whatever may use it, so that neither goes without the other. */
  readonly environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, { log, table, grants, others = [] }: FunctionRoleProps) {
    const writing = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [log.logGroupArn],
    });
    const statements = [writing, ...grants.map((grant) => toStatement(grant, table)), ...others];
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { access: new PolicyDocument({ statements }) },
    });
    this.log = log;
    this.environment = grants.length > 0 ? { [TABLE_NAME_VARIABLE]: table.tableName } : {};
  }
}

function toStatement({ actions, on, keys, attributes }: Grant, table: Table): PolicyStatement {
  return new PolicyStatement({
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
  });
}

interface PaymentFunctionProps {
  readonly role: FunctionRole;
  /** What it is told beyond the name of the table. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number | undefined;
  /** How many may run at once, of the account's number. */
  readonly reservedConcurrency?: number | undefined;
  /** Where its code lies, if not in `functions/`. */
  readonly entry?: string | undefined;
}

/** The Lambda function of a file in `functions/`, by its name: `get-payment`, `workers/job-runner`. */
export class PaymentFunction extends NodejsFunction {
  constructor(scope: Construct, name: string, props: PaymentFunctionProps) {
    const { role, environment, timeoutSeconds, reservedConcurrency, entry } = props;
    super(scope, path.basename(name), {
      entry: entry ?? entryOf(name),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      bundling: BUNDLING,
      environment: { NODE_OPTIONS: '--enable-source-maps', ...role.environment, ...environment },
      memorySize: MEMORY_MB,
      timeout: Duration.seconds(timeoutSeconds ?? FUNCTION_TIMEOUT_SECONDS),
      logGroup: role.log,
      role,
      // Where none is asked for, what throttles the callers does: see THROTTLE in payment-api.ts.
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
    });
  }
}
