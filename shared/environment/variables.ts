/** The environment variables of the service and of its local host, by what they say. */
export const VARIABLES = {
  /** Where people reach the service. It never comes from a request (contract §3). A variable of the gateway's stage, too. */
  baseUrl: 'PUBLIC_BASE_URL',
  /** The bus of the clock's events. */
  busName: 'BUS_NAME',
  /**
   * `stand-in` where the gateway is not API Gateway itself. LocalStack's does not match the binary media type that stands
   * for all: it sends base64 on as text, under the headers of what it encodes.
   */
  gateway: 'GATEWAY',
  /** The folder with the jars of AWS's engine. */
  jars: 'DYNAMODB_LOCAL',
  /** The name of the function, which Lambda sets, and nothing else. */
  lambdaName: 'AWS_LAMBDA_FUNCTION_NAME',
  /** `allowed` on a developer's machine: endpoints of test worlds may then be on it, with http. */
  loopback: 'WEBHOOKS_TO_LOOPBACK',
  /** The newest version of each function that new code is tried with, as JSON: ARNs by names. */
  newVersions: 'NEW_VERSIONS',
  /** The folder of the local host that stands for Secrets Manager. */
  secretsFolder: 'PROVIDER_SECRETS_FOLDER',
  /**
   * The prefix of the names of the stage's secrets. The id of a world is the rest:
   * `payments-production/providers/0123456789abcdef`.
   */
  secretsPrefix: 'PROVIDER_SECRETS_PREFIX',
  /** The name of the secret with the key of smoke payments. */
  smokeKey: 'SMOKE_KEY',
  /** The stack of a function: Powertools takes it for the service of log lines and metrics. */
  serviceName: 'POWERTOOLS_SERVICE_NAME',
  /** `1` where the local host keeps the records of the stream. */
  streamRecords: 'KEEP_STREAM_RECORDS',
  tableName: 'TABLE_NAME',
  /** `off` in a deployment that has no test kit. */
  testKit: 'TEST_KIT',
  /** `off` where nothing runs by itself, no job and no delivery: a service on restored data, until somebody has looked. */
  workers: 'WORKERS',
} as const;
type Variable = keyof typeof VARIABLES;

/** @returns undefined where it is not set, or empty */
export function readVariable(variable: Variable): string | undefined {
  return process.env[VARIABLES[variable]] || undefined;
}

/** @throws Error where it is not set: a defect of the deployment */
export function requireVariable(variable: Variable): string {
  const value = readVariable(variable);
  if (value === undefined) {
    throw new Error(`${VARIABLES[variable]} is not set`);
  }
  return value;
}
