import { API_COMMANDS } from '../commands/api-commands.ts';
import { EXAM_COMMAND } from '../exam/exam-command.ts';
import { SCENARIO_COMMAND } from '../scenario/scenario-command.ts';
import { UsageError } from '../terminal/command.ts';
import { say } from '../terminal/output.ts';
import type { Command } from '../terminal/pg-command.ts';
import { completionScript, SHELLS } from './completion.ts';

const ungrouped: Readonly<Record<string, Command>> = {
  ...API_COMMANDS,
  'scenario run': SCENARIO_COMMAND,
  exam: EXAM_COMMAND,
  completion: {
    takes: `<${SHELLS.join('|')}>`,
    choices: [SHELLS],
    says: 'Print the completion script of a shell: source <(pg completion bash)',
    runAlone: (_values, [given = ''], line) => {
      const shell = SHELLS.find((name) => name === given);
      if (shell === undefined) {
        throw new UsageError(`completion takes one of: ${SHELLS.join(', ')}.`);
      }
      say(...completionScript(shell, line).split('\n'));
    },
  },
  mcp: {
    says: 'Serve MCP over standard input and output, for agents: a tool for each operation, in test mode',
    // Loaded here, since no other command needs it.
    run: async (run) => (await import('../mcp/mcp.ts')).serveMcp(run),
  },
};

/** The headings of the help, with the first words of the commands under each, in their order. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Payments:': ['payments', 'refunds', 'links', 'payouts', 'settlements'],
  'Events and webhooks:': ['events', 'endpoints', 'listen'],
  'Test world:': [
    'sinks',
    'world',
    'simulate',
    'trigger',
    'advance',
    'clock',
    'scenario',
    'exam',
    'logs',
    'seed',
    'purge',
  ],
  'Everything:': ['show', 'open', 'completion', 'mcp', 'call'],
};
const FIRST_WORDS = Object.values(GROUPS).flat();

const firstOf = (words: string) => words.split(' ')[0] ?? '';
const groupOf = (words: string) =>
  Object.entries(GROUPS).find(([, names]) => names.includes(firstOf(words)))?.[0];
const orderOf = (words: string) => FIRST_WORDS.indexOf(firstOf(words));

/** Every command by its words. */
export const commands: Readonly<Record<string, Command>> = Object.fromEntries(
  Object.entries(ungrouped)
    .toSorted(([one], [other]) => orderOf(one) - orderOf(other))
    .map(([words, command]) => [words, { ...command, group: groupOf(words) }]),
);
