import { type Acts, type CommandLine, runCommand } from '../terminal/command.ts';
import { SERVICE_COMMANDS } from './service-commands.ts';
import { SERVICE_WORDS } from './service-words.ts';

/* The commands of pg that run, find or end a service of this machine. */

const LINE = {
  name: 'pg',
  says: 'The service on this machine.',
  commands: SERVICE_COMMANDS,
} satisfies CommandLine;

const acts = SERVICE_WORDS.map((word) => [
  word,
  async (values: object, ...args: string[]) => SERVICE_COMMANDS[word].runAlone?.(values, args, LINE),
]);

runCommand(LINE, Object.fromEntries(acts) as Acts<typeof LINE>);
