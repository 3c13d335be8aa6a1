import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArnFormat, AssetHashType, DockerImage, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';
import { FUNCTION_TIMEOUT_SECONDS } from '../../shared/contract/operation.ts';
import { SECRETS_PREFIX_VARIABLE, TABLE_NAME_VARIABLE } from '../../shared/store/table.ts';
import { STACK_VARIABLE } from '../../shared/telemetry/metrics.ts';
import type { Grant } from '../grants.ts';
import { readProviderOrigins } from '../provider-origins.ts';
import { secretsPrefixOf } from '../stage.ts';

const NO_ENDPOINTS = fileURLToPath(new URL('no-endpoints.ts', import.meta.url));

/** How every function is bundled. */
export const BUNDLING = {
  bundle: true,
  platform: 'node',
  // Not ESM: of each builtin that an ES module imports, Node reads every export, and one of node:http loads all of
  // fetch. A start is a sixth faster without.
  format: 'cjs',
  target: 'node24',
  mainFields: ['module', 'main'],
  // With the SDK, for nothing is external: the one that the tests ran with, and a faster start than Lambda's own, which
  // is not minified.
  minify: true,
  // Of the SDK, its commands alone: see shared/store/aws-client.ts.
  alias: {
    '@aws-sdk/lib-dynamodb': '@aws-sdk/lib-dynamodb/dist-es/commands/index.js',
    '@aws-sdk/client-dynamodb': '@aws-sdk/client-dynamodb/dist-es/commands/index.js',
    '@aws-sdk/client-eventbridge': '@aws-sdk/client-eventbridge/dist-es/commands/index.js',
    // The only one that is sent. It is loaded late, and of what is loaded late nothing is left out.
    '@aws-sdk/client-secrets-manager':
      '@aws-sdk/client-secrets-manager/dist-es/commands/GetSecretValueCommand.js',
    '@aws-sdk/core/client': NO_ENDPOINTS,
    '@smithy/core/endpoints': NO_ENDPOINTS,
  },
  // For traces to name files and lines of this repository: see shared/telemetry/log.ts, which reads the map at an error.
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** CPU comes with memory. A start is mostly CPU (the SDK is loaded and TLS is set up): this is over half a core. */
const MEMORY_MB = 1_024;

/**
 * In production as long as events are kept, so that what was done to a payment can be looked up; of a test stage as long
 * as a refund can be asked for.
 */
export const LOG_RETENTION = { production: RetentionDays.THIRTEEN_MONTHS, test: RetentionDays.SIX_MONTHS };

const FUNCTIONS = fileURLToPath(new URL('../../functions/', import.meta.url));

/** Where the code of a function lies. */
export function entryOf(name: string): string {
  return path.join(FUNCTIONS, `${name}.ts`);
}

/** Nothing is written there: it is where a bundle would be, for its map to say where its sources are. */
const BUNDLED = fileURLToPath(new URL('../../bundled', import.meta.url));

let bundles: readonly OutputFile[] | undefined;

/** All are made when the first is asked for, in one go: one by one they would take three times as long. */
function bundleAll(): readonly OutputFile[] {
  const names = globSync('{*,workers/*}.ts', { cwd: FUNCTIONS }).map((file) => file.replace(/\.ts$/, ''));
  return buildSync({
    ...BUNDLING,
    entryPoints: Object.fromEntries(names.map((name) => [`${name}/index`, entryOf(name)])),
    outdir: BUNDLED,
    write: false,
  }).outputFiles;
}

function writeBundle(name: string, folder: string): boolean {
  bundles ??= bundleAll();
  const own = bundles.filter((file) => path.dirname(file.path) === path.join(BUNDLED, name));
  if (own.length === 0) {
    throw new Error(`There is no functions/${name}.ts.`);
  }
  for (const file of own) {
    writeFileSync(path.join(folder, path.basename(file.path)), file.contents);
  }
  return true;
}

/** A bundle, made where the stack is one that CDK is to make bundles for. */
function codeOf(name: string): Code {
  return Code.fromAsset(FUNCTIONS, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Neither is used. The command tells CDK one bundle from another.
      image: DockerImage.fromRegistry('none'),
      command: [name],
      local: { tryBundle: (folder) => writeBundle(name, folder) },
    },
  });
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
  /** Whether it may read the secrets of providers. */
  readonly talksToProvider: boolean;
  /** What it may do beyond these. */
  readonly others?: readonly PolicyStatement[];
}

/**
 * What functions run as that may do the same. It is all in the role itself: not AWS's own policy for logs, which allows
 * every log group of the account, and not CDK's `grant…`, which always adds every index.
 */
export class FunctionRole extends Role {
  readonly log: LogGroup;
  /** Names the table and the secrets to whatever may use them, so that neither goes without the other. */
  readonly environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: FunctionRoleProps) {
    const { log, table, grants, talksToProvider, others = [] } = props;
    const writing = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [log.logGroupArn],
    });
    const { stackName } = Stack.of(scope);
    const statements = [
      writing,
      ...grants.map((grant) => toStatement(grant, table)),
      ...(talksToProvider ? [readingSecrets(Stack.of(scope))] : []),
      ...others,
    ];
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { access: new PolicyDocument({ statements }) },
    });
    this.log = log;
    this.environment = {
      ...(grants.length > 0 && { [TABLE_NAME_VARIABLE]: table.tableName }),
      // The stack, for what is counted in the log to have the dimension that every metric has.
      ...(talksToProvider && {
        [SECRETS_PREFIX_VARIABLE]: secretsPrefixOf(stackName),
        [STACK_VARIABLE]: stackName,
        ...readProviderOrigins(scope.node),
      }),
    };
  }
}

/** Those of this stage. AWS adds six characters to a name, and which worlds there are is known to the table alone. */
function readingSecrets(stack: Stack): PolicyStatement {
  const secrets = stack.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${secretsPrefixOf(stack.stackName)}*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  return new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secrets] });
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
}

/** The Lambda function of a file in `functions/`, by its name: `get-payment`, `workers/job-runner`. */
export class PaymentFunction extends LambdaFunction {
  constructor(scope: Construct, name: string, props: PaymentFunctionProps) {
    const { role, environment, timeoutSeconds, reservedConcurrency } = props;
    super(scope, path.basename(name), {
      code: codeOf(name),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      environment: { ...role.environment, ...environment },
      memorySize: MEMORY_MB,
      timeout: Duration.seconds(timeoutSeconds ?? FUNCTION_TIMEOUT_SECONDS),
      logGroup: role.log,
      role,
      // Where none is asked for, what throttles the callers does: see THROTTLE in payment-api.ts.
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
    });
  }
}
