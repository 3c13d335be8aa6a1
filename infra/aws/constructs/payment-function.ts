import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArnFormat, AssetHashType, DockerImage, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';
import { FUNCTION_TIMEOUT_SECONDS } from '../../../shared/contract/operation.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { builtAssets } from '../../build/built-assets.ts';
import type { Grant } from '../grants.ts';
import { readProviderOrigins } from '../provider-origins.ts';
import { secretsPrefixOf } from '../stage.ts';

let defined: Readonly<Record<string, string>> | undefined;

/** The esbuild options of every function. @internal */
export const BUNDLING = {
  bundle: true,
  platform: 'node',
  // Not ESM: for each builtin that an ES module imports, Node reads every export, and one of node:http loads all of
  // fetch. Without that, a start is a sixth faster.
  format: 'cjs',
  target: 'node24',
  mainFields: ['module', 'main'],
  // What a function uses of the SDK is of the version that the tests ran with, and minified.
  minify: true,
  // Exports of esbuild are getters, and a layer that records traces puts its own function in the place of the handler.
  footer: { js: 'module.exports={...module.exports};' },
  // What the SDK loads only where credentials are not in the environment. On Lambda they are.
  external: [
    '@aws-sdk/credential-provider-http',
    '@aws-sdk/credential-provider-ini',
    '@aws-sdk/credential-provider-login',
    '@aws-sdk/credential-provider-process',
    '@aws-sdk/credential-provider-sso',
    '@aws-sdk/credential-provider-web-identity',
    '@aws-sdk/nested-clients',
    '@aws-sdk/token-providers',
    '@smithy/credential-provider-imds',
  ],
  // Thai texts take half of what they would as escapes.
  charset: 'utf8',
  // So that stack traces name files and lines of this repository: shared/telemetry/log.ts reads the map at an error.
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'warning',
  /** Built when something is bundled. */
  get define() {
    defined ??= builtAssets().define;
    return defined;
  },
} as const satisfies BuildOptions;

/** CPU comes with memory. A start is mostly CPU (the SDK is loaded and TLS is set up): this is over half a core. */
const MEMORY_MB = 1_024;

/** In production as long as events are kept, so that the history of a payment can be looked up. */
const LOG_RETENTION = RetentionDays.THIRTEEN_MONTHS;
/** How long each log of a test stage is kept. */
export const TEST_LOG_RETENTION = RetentionDays.ONE_MONTH;

const FUNCTIONS = fileURLToPath(new URL('../../../functions/', import.meta.url));

/** Nothing is written there: the paths in the source map of a bundle are relative to it. */
const BUNDLED = fileURLToPath(new URL('../../../bundled', import.meta.url));

let bundles: readonly OutputFile[] | undefined;

/** Builds all bundles together when the first is needed, since one by one they would take three times as long. */
function bundleAll(): readonly OutputFile[] {
  const files = globSync('{*,workers/*,rollout/*}.ts', { cwd: FUNCTIONS });
  return buildSync({
    ...BUNDLING,
    entryPoints: Object.fromEntries(
      files.map((file) => [file.replace(/\.ts$/, '/index'), path.join(FUNCTIONS, file)]),
    ),
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

/** The bundle of a function, built only if CDK bundles this stack. */
function codeOf(name: string): Code {
  return Code.fromAsset(FUNCTIONS, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Neither is used. The command makes each bundle distinct for CDK.
      image: DockerImage.fromRegistry('none'),
      command: [name],
      local: { tryBundle: (folder) => writeBundle(name, folder) },
    },
  });
}

/** Whether a stage holds data that must not be lost, and so whether its logs are kept when it is deleted. */
export interface LogKeepingProps {
  readonly isProduction: boolean;
  readonly removalPolicy: RemovalPolicy;
}

/** The log group of functions. */
export class FunctionLog extends LogGroup {
  constructor(scope: Construct, id: string, { isProduction, removalPolicy }: LogKeepingProps) {
    const retention = isProduction ? LOG_RETENTION : TEST_LOG_RETENTION;
    super(scope, id, { retention, removalPolicy });
  }
}

interface FunctionRoleProps {
  readonly table: ITable;
  readonly grants: readonly Grant[];
  /** Whether it may read the secrets of providers. */
  readonly talksToProvider: boolean;
  /** Additional permissions. */
  readonly others?: readonly PolicyStatement[];
}

/**
 * The role of the functions that may do the same. All permissions are in the role itself: AWS's own policy for logs would
 * allow every log group of the account, and CDK's `grant…` would always add every index.
 */
export class FunctionRole extends Role {
  /** Names the table and the secrets, so that a function gets them together with the access to them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #writing: PolicyStatement;
  readonly #access: PolicyDocument;

  constructor(scope: Construct, id: string, props: FunctionRoleProps) {
    const { table, grants, talksToProvider, others = [] } = props;
    const writing = new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'] });
    const { stackName } = Stack.of(scope);
    const statements = [
      writing,
      ...grants.map((grant) => toStatement(grant, table)),
      ...(talksToProvider ? [readingSecrets(Stack.of(scope))] : []),
      ...others,
    ];
    const access = new PolicyDocument({ statements });
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { access },
    });
    this.#writing = writing;
    this.#access = access;
    this.environment = {
      ...(grants.length > 0 && { [VARIABLES.tableName]: table.tableName }),
      // The stack, so that metrics that count lines of the log have the dimension that every metric has.
      ...(talksToProvider && {
        [VARIABLES.secretsPrefix]: secretsPrefixOf(stackName),
        [VARIABLES.serviceName]: stackName,
        ...readProviderOrigins(scope.node),
      }),
    };
  }

  /** Lets its functions write this log, too. */
  mayWrite({ logGroupArn }: LogGroup): void {
    this.#writing.addResources(logGroupArn);
  }

  /** Lets its functions send what they record to X-Ray, which knows no resources. Equal statements become one. */
  mayTrace(): void {
    this.#access.addStatements(
      new PolicyStatement({
        actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
        resources: ['*'],
      }),
    );
  }
}

/** Allows the secrets of this stage by prefix: AWS adds six characters to a name, and only the table has the worlds. */
function readingSecrets(stack: Stack): PolicyStatement {
  const secrets = stack.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${secretsPrefixOf(stack.stackName)}*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  return new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secrets] });
}

function toStatement({ actions, on, keys, attributes }: Grant, table: ITable): PolicyStatement {
  return new PolicyStatement({
    actions: [...actions],
    resources: [on === 'table' ? table.tableArn : `${table.tableArn}/index/${on}`],
    conditions: {
      // Checks every item that a call names, and the partition key of an index. A call that names none would pass,
      // but only a scan or PartiQL does that, and no role allows these.
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
      ...(attributes && {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
        // A response with the whole item would be a read.
        StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
      }),
    },
  });
}

interface PaymentFunctionProps {
  readonly role: FunctionRole;
  readonly log: LogGroup;
  /** Environment variables beyond the name of the table. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number | undefined;
  /** The name of this function where another one has the same code. */
  readonly called?: string;
  /** How many may run at once, reserved from the account's concurrency. */
  readonly reservedConcurrency?: number | undefined;
}

/** The Lambda function of a file in `functions/`, by its name: `get-payment`, `workers/job-runner`. */
export class PaymentFunction extends LambdaFunction {
  readonly ownRole: FunctionRole;

  constructor(scope: Construct, name: string, props: PaymentFunctionProps) {
    const { role, log, environment, timeoutSeconds, called, reservedConcurrency } = props;
    role.mayWrite(log);
    super(scope, called ?? path.basename(name), {
      code: codeOf(name),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      environment: { ...role.environment, ...environment },
      memorySize: MEMORY_MB,
      timeout: Duration.seconds(timeoutSeconds ?? FUNCTION_TIMEOUT_SECONDS),
      logGroup: log,
      role,
      // Without a reservation, the throttle of the callers is the limit: see THROTTLE in payment-api.ts.
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
    });
    this.ownRole = role;
  }
}
