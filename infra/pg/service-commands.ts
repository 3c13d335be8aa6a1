import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { findLocalService, type LocalService } from '../machine/find-service.ts';
import { lockHolder } from '../machine/folder-lock.ts';
import { UsageError } from '../terminal/command.ts';
import { endWithNpm } from '../terminal/end-with-npm.ts';
import { duration, type ValuesOf } from '../terminal/option-form.ts';
import { optionsOf, PG, START_FORM } from '../terminal/options.ts';
import { say, sayJson } from '../terminal/output.ts';
import type { Command } from '../terminal/pg-command.ts';
import { PROGRAM } from '../terminal/program-name.ts';
import { requireLocal } from '../terminal/service.ts';
import { init } from './init.ts';
import { runBeside } from './run-beside.ts';
import type { ServiceWord } from './service-words.ts';
import { type ForwardingStart, startAndForward } from './start-and-forward.ts';

/* What starts, shows and stops a service of this machine. The host is loaded by the commands that run one. */

const LOOK_EVERY_MS = 100;
const STOPPED_WITHIN_MS = 15 * SECOND_MS;

const OF_FOLDER = { dir: PG.dir };
type OfFolder = ValuesOf<typeof OF_FOLDER>;
const STATUS = { json: PG.json, wait: duration('waits so long for a service that starts: 10s') };

export const SERVICE_COMMANDS: Readonly<Record<ServiceWord, Command>> = {
  start: {
    ...START_FORM,
    says: 'Run the whole service on this machine, and print its address and a test key',
    options: { ...START_FORM.options, ...optionsOf('forward-to', 'events') },
    shared: {},
    runAlone: async (values) => {
      followNpm();
      await startAndForward(values as ForwardingStart);
    },
  },
  run: {
    takes: '<COMMAND...>',
    says: 'Run a command beside a service of its own in memory, in PG_BASE_URL and PG_KEY: pg run -- npm test',
    shared: {},
    more: 'The service ends with the command, whose exit code is passed on.',
    runAlone: async (_values, args) => {
      if (args.length === 0) {
        throw new UsageError(`Name the command: ${PROGRAM} run -- npm test.`);
      }
      followNpm();
      const { startInMemory } = await import('../local/host.ts');
      process.exit(await runBeside(await startInMemory(), args));
    },
  },
  init: {
    says: 'Write tests with a test world, and of a webhook receiver, into this project, and print a line for CI',
    shared: {},
    runAlone: () => init(process.cwd()),
  },
  status: {
    says: 'Show the address and the key of the service that runs on this machine',
    options: STATUS,
    shared: OF_FOLDER,
    runAlone: async (values) => {
      const { json, wait = 0, dir } = values as ValuesOf<typeof STATUS> & OfFolder;
      const service = (await waitFor(dir, wait * SECOND_MS)) ?? (await requireLocal(dir));
      const { baseUrl, key, dir: folder, pid } = service;
      if (json) {
        sayJson({ base_url: baseUrl, key, dir: folder, pid }, 2);
        return;
      }
      say(
        `Base URL   ${baseUrl}`,
        `Test key   ${key}`,
        `Dashboard  ${baseUrl}/console#key=${key}`,
        `Data       ${folder}`,
        `Process    ${pid}`,
      );
    },
  },
  stop: {
    says: 'Stop the service that runs on this machine',
    shared: OF_FOLDER,
    runAlone: async (values) => {
      const { baseUrl, dir, pid } = await requireLocal((values as OfFolder).dir);
      process.kill(pid, 'SIGTERM');
      const giveUpAt = Date.now() + STOPPED_WITHIN_MS;
      while (lockHolder(dir) === pid) {
        if (Date.now() > giveUpAt) {
          throw new Error(`Process ${pid} does not end. Its data is in ${dir}.`);
        }
        await sleep(LOOK_EVERY_MS);
      }
      say(`The service at ${baseUrl} has stopped. Its data was in ${dir}.`);
    },
  },
};

async function waitFor(dir: string | undefined, timeMs: number): Promise<LocalService | null> {
  const giveUpAt = Date.now() + timeMs;
  for (;;) {
    const service = await findLocalService(dir);
    if (service !== null || Date.now() >= giveUpAt) {
      return service;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** npm passes no signal on to what npx and its scripts run. */
function followNpm(): void {
  if (process.env.npm_lifecycle_event !== undefined) {
    endWithNpm();
  }
}
