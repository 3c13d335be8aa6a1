import type { Acts, CommandGroup } from '../terminal/command.ts';
import {
  DEPLOY,
  DESTROY,
  ERASE,
  JOBS,
  KEYS,
  MERCHANTS,
  PROVIDERS,
  RESTORE,
  STAGES,
} from '../terminal/options.ts';
import type { Command } from '../terminal/pg-command.ts';

/** What a group does is loaded when one of its commands runs: no other command needs the store, or AWS. */
function commandsOf<Group extends CommandGroup>(
  name: string,
  { says, options = {}, commands }: Group,
  load: () => Promise<{ readonly acts: Acts<Group> }>,
): Record<string, Command> {
  const forms = Object.entries(commands).map(([words, form]): [string, Command] => [
    `admin ${name} ${words}`.trim(),
    {
      says,
      ...form,
      shared: options,
      runAlone: async (values, args) => (await load()).acts[words]?.(values as never, ...args),
    },
  ]);
  return { [`admin ${name}`]: { says, shared: options }, ...Object.fromEntries(forms) };
}

/** The commands of operators, by their words. */
export const ADMIN: Readonly<Record<string, Command>> = {
  admin: {
    says: 'Operate the service: keys, merchants, live providers, stages on AWS',
    group: 'Operators:',
    shared: {},
  },
  ...commandsOf('keys', KEYS, () => import('../operator/keys.ts')),
  ...commandsOf('merchants', MERCHANTS, () => import('../operator/merchants.ts')),
  ...commandsOf('providers', PROVIDERS, () => import('../operator/providers.ts')),
  ...commandsOf('erase', ERASE, () => import('../operator/erase.ts')),
  ...commandsOf('jobs', JOBS, () => import('../operator/jobs.ts')),
  ...commandsOf('stages', STAGES, () => import('../operator/stages.ts')),
  ...commandsOf('deploy', DEPLOY, () => import('../operator/deploy.ts')),
  ...commandsOf('restore', RESTORE, () => import('../operator/restore.ts')),
  ...commandsOf('destroy', DESTROY, () => import('../operator/destroy.ts')),
};

/** The first words of commands that have moved, with the words that are typed for them now. */
export const MOVED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.keys(ADMIN)
      .map((words) => words.split(' '))
      .filter(({ length }) => length === 2)
      .map((words) => [words[1], words.join(' ')]),
  ),
  stacks: 'admin stages',
};
