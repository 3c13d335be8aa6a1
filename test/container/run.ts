import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { createClient } from '../../shared/client/client.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { installPythonRequirements } from '../support/tools/python-package.ts';
import { runCommand } from '../support/tools/run-command.ts';
import { nodeImageTarball } from './node-image.ts';

/*
 * node test/container/run.ts: the Dockerfile is built by buildah, which needs no daemon, and the containers of compose.yaml are
 * started with what it says: the service becomes healthy, and its shop gets a signed webhook. Both files are checked by
 * somebody else's programs. Docker itself is not used. Needs root, buildah, mmdebstrap, and the ports 3000 and 4010.
 */

const FOLDER = 'infra/build/container';
const IMAGE = 'payments-kit';
const WITHIN_MS = 60 * SECOND_MS;
const LOOK_EVERY_MS = 200;

interface Compose {
  readonly services: Readonly<Record<'payments' | 'shop', Service>>;
}
interface Service {
  readonly build: { readonly args: { readonly PACKAGE: string } };
  readonly entrypoint?: readonly string[];
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What the image says of its containers. */
interface ImageSettings {
  readonly Entrypoint: readonly string[];
  readonly Healthcheck: { readonly Test: readonly [kind: 'CMD', ...command: string[]] };
}

async function main(): Promise<void> {
  const { services } = parse(await readFile(`${FOLDER}/compose.yaml`, 'utf8'), { merge: true }) as Compose;
  await checkFiles();
  const storage = await mkdtemp(path.join(tmpdir(), 'payments-container-'));
  const buildah = new Buildah(storage);
  try {
    await runCommand('npm', ['run', 'build:package']);
    await buildah.importImage('docker.io/library/node:24-slim', await nodeImageTarball());
    await buildah.build(services.payments.build.args.PACKAGE);
    const settings = await buildah.settings();
    const service = await buildah.start(settings.Entrypoint, services.payments);
    const [, ...health] = settings.Healthcheck.Test;
    await until('the service is healthy', () =>
      service.run(health).then(
        () => true,
        () => false,
      ),
    );
    console.log('The service is healthy.');
    const shop = await buildah.start(services.shop.entrypoint ?? [], services.shop);
    await expectOrderPaid(valuesOf(services.shop));
    console.log('The shop has taken a payment by its signed webhook.');
    await service.run(['pg', 'stop', '--dir', '/data']);
    await until('the service has ended', async () => service.process.exitCode === 0);
    shop.process.kill('SIGTERM');
    await once(shop.process, 'exit');
  } finally {
    await buildah.end();
    await rm(storage, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function checkFiles(): Promise<void> {
  const programs = path.join(await installPythonRequirements('test/container/requirements.txt'), 'bin');
  await runCommand(path.join(programs, 'hadolint'), [`${FOLDER}/Dockerfile`]);
  const schema = ['--builtin-schema', 'vendor.compose-spec'];
  await runCommand(path.join(programs, 'check-jsonschema'), [...schema, `${FOLDER}/compose.yaml`]);
  console.log('hadolint and the schema of Compose find nothing.');
}

async function expectOrderPaid({
  PG_BASE_URL: baseUrl = '',
  PG_KEY: key = '',
}: NodeJS.ProcessEnv): Promise<void> {
  const shop = 'http://127.0.0.1:3000';
  const amount = { currency: 'THB', minor: 129_900 } as const;
  const body = JSON.stringify({ reference: 'order-1', amount });
  const headers = { 'content-type': 'application/json' };
  await until('the shop has an order', () =>
    fetch(`${shop}/orders`, { method: 'POST', headers, body }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const client = createClient({ baseUrl, key });
  const { id } = await client.createPayment({ amount, method: 'promptpay', reference: 'order-1' });
  await client.simulatePayment(id, { outcome: 'succeeded' });
  await until('the order is paid', async () => {
    const response = await fetch(`${shop}/probe?reference=order-1`);
    return ((await response.json()) as { paid: boolean }).paid;
  });
}

/** The variables of a service, as Compose reads them where the environment has none of them. */
function valuesOf({ environment }: Service): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]),
  );
}

interface Container {
  readonly process: ChildProcess;
  /** Runs a command beside its own. @throws Error where it fails */
  run(command: readonly string[]): Promise<unknown>;
}

/** Images and containers in a folder of their own. */
class Buildah {
  readonly #env: NodeJS.ProcessEnv;
  readonly #storage: readonly string[];
  readonly #processes: ChildProcess[] = [];

  constructor(folder: string) {
    this.#env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
    this.#storage = ['--root', path.join(folder, 'root'), '--runroot', path.join(folder, 'run')];
  }

  async importImage(name: string, tarball: string): Promise<void> {
    const container = await this.#ask('from', 'scratch');
    await this.#ask('add', '--quiet', container, tarball, '/');
    const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    await this.#ask('config', '--env', `PATH=${PATH}`, container);
    await this.#ask('commit', '--quiet', '--rm', container, name);
  }

  async build(source: string): Promise<void> {
    const what = ['--file', `${FOLDER}/Dockerfile`, '--build-arg', `PACKAGE=${source}`, '--tag', IMAGE];
    await this.#ask('build', '--quiet', '--format', 'docker', '--network', 'host', ...what, 'dist');
  }

  async settings(): Promise<ImageSettings> {
    const { Docker } = JSON.parse(await this.#ask('inspect', '--type', 'image', IMAGE));
    return Docker.config;
  }

  /** Starts a container of the image, in the network of this machine. */
  async start(entrypoint: readonly string[], service: Service): Promise<Container> {
    const container = await this.#ask('from', IMAGE);
    const variables = Object.entries(valuesOf(service)).flatMap(([name, value]) => [
      '--env',
      `${name}=${value}`,
    ]);
    const inside = ['run', '--network', 'host', ...variables, container, '--'];
    const command = service.command.map((word) => word.replaceAll('$$', '$'));
    const args = [...this.#storage, ...inside, ...entrypoint, ...command];
    const child = spawn('buildah', args, { env: this.#env, stdio: ['ignore', 'inherit', 'inherit'] });
    this.#processes.push(child);
    return { process: child, run: (beside) => this.#ask(...inside, ...beside) };
  }

  async end(): Promise<void> {
    for (const child of this.#processes.filter(
      ({ exitCode, signalCode }) => (exitCode ?? signalCode) === null,
    )) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await this.#ask('rm', '--all');
  }

  async #ask(...args: readonly string[]): Promise<string> {
    return (await runCommand('buildah', [...this.#storage, ...args], { env: this.#env })).stdout.trim();
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + WITHIN_MS;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) {
      throw new Error(`It did not come to pass: ${what}.`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

await main();
