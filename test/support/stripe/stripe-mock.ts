import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder } from '../tools/cached-folder.ts';
import { GO_ENV } from '../tools/go.ts';
import { runCommand } from '../tools/run-command.ts';

const MODULE = 'github.com/stripe/stripe-mock@v0.203.0';
const READY_WITHIN_MS = 20_000;
/** Kills the program at the end of its input, when the process that started it ends: the program ignores its input. */
const LAUNCHER = '"$@" & mock=$!; cat; kill $mock';

/** Stripe's own validator of requests: it stores nothing, and responds with the examples of its document. */
export interface StripeMock {
  readonly url: string;
  /** The file of the OpenAPI document that it validates by. */
  readonly document: string;
}

/**
 * Builds it where that was not done before, in one or two minutes, and starts it.
 * @throws Error that says what is missing
 */
export async function startStripeMock(): Promise<StripeMock & { stop(): Promise<void> }> {
  const folder = await cachedFolder(MODULE.replace(/^.*\//, ''), build);
  // Each address that is not given would be every one of this machine.
  const flags = ['-http-addr', '127.0.0.1:', '-https-addr', '127.0.0.1:', '-strict-version-check'];
  const child = spawn('sh', ['-c', LAUNCHER, 'sh', path.join(folder, 'stripe-mock'), ...flags], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const stop = async () => {
    child.stdin.end();
    if (child.exitCode === null) {
      await once(child, 'exit');
    }
  };
  let printed = '';
  const address = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('stripe-mock did not start.')), READY_WITHIN_MS);
    child.once('exit', () => reject(new Error('stripe-mock ended.')));
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
      const [, found] = /HTTP at address: (\S+)\n/.exec(printed) ?? [];
      if (found !== undefined) {
        clearTimeout(timer);
        resolve(found);
      }
    });
  }).catch(async (error: Error) => {
    await stop();
    throw new Error(`${error.message}\n${printed}`);
  });
  return { url: `http://${address}`, document: path.join(folder, 'spec3.json'), stop };
}

async function build(folder: string): Promise<void> {
  const env = { ...GO_ENV, GOBIN: folder };
  await runCommand('go', ['install', MODULE], { env });
  const document = path.join(env.GOMODCACHE, MODULE, 'embedded/openapi/spec3.json');
  await copyFile(document, path.join(folder, 'spec3.json'));
}
