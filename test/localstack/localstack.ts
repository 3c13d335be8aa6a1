import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REGION, type Target } from '../deployed/target.ts';
import { watchStart } from '../deployed/watch-start.ts';
import { installDynamoDbLocal } from '../support/tools/dynamodb-local.ts';
import { installPythonRequirements } from '../support/tools/python-package.ts';
import { runCommand } from '../support/tools/run-command.ts';
import { killIfThere, processesNaming } from './processes.ts';

const HERE = import.meta.dirname;
const PLUGIN = path.join(HERE, 'plugin');
const LEASH = path.join(HERE, 'leash.sh');
const STARTER = path.join(HERE, '..', '..', 'infra', 'local', 'DynamoDbOnLoopback.java');
const HOST = '127.0.0.1';
const READY_WITHIN_MS = 60_000;
const COMPLAINT = /\b(ERROR|WARN|WARNING|CRITICAL|Traceback)\b/;
/** What it says in every run. */
const USUAL =
  /TMPDIR is deprecated|Advanced Lambda Logging Configuration is|No resource provider found for|Creating a Mock ECR|Response object Rule contains/;

/** A running LocalStack. */
export interface LocalStack extends Target {
  readonly version: string;
  /** Where it writes everything. Each of its processes names this folder in its arguments. */
  readonly folder: string;
}

/**
 * Installs LocalStack and DynamoDB Local into cache folders where they are not there yet, and starts LocalStack on a port
 * of the loopback address, without a container engine: functions run as processes of this machine.
 * @throws Error that says what is missing
 */
export async function startLocalStack(port: number): Promise<LocalStack> {
  const java = await findJava();
  const venv = await installPythonRequirements(path.join(HERE, 'requirements.txt'));
  const jars = await installDynamoDbLocal();
  const folder = await mkdtemp(path.join(tmpdir(), 'payments-localstack-'));
  await placeDynamoDb(folder);
  const python = path.join(venv, 'bin', 'python');
  const child = spawn('sh', [LEASH, folder, python, path.join(PLUGIN, 'start.py'), folder], {
    cwd: folder,
    env: environmentOf({ venv, folder, port, java, jars }),
    // Its end is the leash: it closes when this process ends, however that happens.
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C in a terminal must not reach it, since this process still removes the stage.
    detached: true,
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.stdin.end();
    await ended;
    for (const pid of await processesNaming(folder)) {
      killIfThere(pid);
    }
    await rm(folder, { recursive: true, force: true });
  };
  const endpoint = `http://${HOST}:${port}`;
  const { untilReady, complaints } = watchStart(child, 'LocalStack', stop);
  const version = await untilReady(READY_WITHIN_MS, () => readVersion(endpoint));
  const isComplaint = (line: string) => COMPLAINT.test(line) && !USUAL.test(line);
  return { endpoint, version, folder, complaints: () => complaints(isComplaint), stop };
}

/** @throws Error where there is none */
async function findJava(): Promise<string> {
  try {
    return (await runCommand('sh', ['-c', 'command -v java'])).stdout.trim();
  } catch {
    throw new Error(
      'Java is missing: LocalStack keeps tables in DynamoDB Local, which takes a Java development kit, 17 or newer, on the PATH.',
    );
  }
}

/** Makes LocalStack believe that it has downloaded Java and DynamoDB Local already. It looks for one file of each. */
async function placeDynamoDb(folder: string): Promise<void> {
  const packages = path.join(folder, 'root', 'var', 'lib', 'localstack', 'lib');
  const home = process.platform === 'darwin' ? path.join('Contents', 'Home') : '';
  const bin = path.join(packages, 'java', '21', home, 'bin');
  const dynamoDb = path.join(packages, 'dynamodb-local', '2');
  for (const made of [bin, dynamoDb, path.join(folder, 'tmp')]) {
    await mkdir(made, { recursive: true });
  }
  await symlink(path.join(HERE, 'java.sh'), path.join(bin, 'java'));
  await writeFile(path.join(dynamoDb, 'DynamoDBLocal.jar'), '');
}

interface Surroundings {
  readonly venv: string;
  readonly folder: string;
  readonly port: number;
  readonly java: string;
  readonly jars: string;
}

/** Its whole environment: it inherits no variable of this process. */
function environmentOf({ venv, folder, port, java, jars }: Surroundings): Record<string, string> {
  return {
    PATH: [path.join(venv, 'bin'), '/usr/bin', '/bin'].join(path.delimiter),
    HOME: folder,
    TMPDIR: path.join(folder, 'tmp'),
    FILESYSTEM_ROOT: path.join(folder, 'root'),
    PYTHONPATH: PLUGIN,
    // The plugin lies in the checkout, where nothing is to be written.
    PYTHONDONTWRITEBYTECODE: '1',
    // For the plugin, and for java.sh.
    FUNCTIONS_NODE: process.execPath,
    FUNCTIONS_CACHE: path.join(folder, 'compiled'),
    JAVA: java,
    JARS: jars,
    STARTER,
    LEASH,
    GATEWAY_SERVER: 'loopback',
    LAMBDA_RUNTIME_EXECUTOR: 'process',
    GATEWAY_LISTEN: `${HOST}:${port}`,
    LOCALSTACK_HOST: `${HOST}:${port}`,
    // Host mode, even where the tests themselves run in a container.
    OVERRIDE_IN_DOCKER: '0',
    DOCKER_HOST: 'unix:///nonexistent.sock',
    // No name server, no telemetry, and no certificate from the network.
    DNS_ADDRESS: '0',
    DISABLE_EVENTS: '1',
    SKIP_SSL_CERT_DOWNLOAD: '1',
    DYNAMODB_IN_MEMORY: '1',
    // The streams of DynamoDB Local itself: LocalStack's own ones need a stand-in for Kinesis.
    PROVIDER_OVERRIDE_DYNAMODB: 'v2',
    PROVIDER_OVERRIDE_DYNAMODBSTREAMS: 'v2',
    // Otherwise the address of a queue has a host name that no resolver knows.
    SQS_ENDPOINT_STRATEGY: 'path',
    // Metric filters and dashboards have no provider: they count as made.
    CFN_IGNORE_UNSUPPORTED_RESOURCE_TYPES: '1',
    AWS_DEFAULT_REGION: REGION,
  };
}

async function readVersion(endpoint: string): Promise<string | null> {
  try {
    const { version } = (await (await fetch(`${endpoint}/_localstack/health`)).json()) as { version: string };
    return version;
  } catch {
    return null;
  }
}
