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

const PAYMENTS = 'Payments:';
const EVENTS = 'Events and webhooks:';
const WORLD = 'Test world:';
const EVERYTHING = 'Everything:';

/** The first words of commands in their order, and the heading of the help that each is listed under. */
const HEADINGS: Readonly<Record<string, string>> = {
  payments: PAYMENTS,
  refunds: PAYMENTS,
  links: PAYMENTS,
  payouts: PAYMENTS,
  settlements: PAYMENTS,
  events: EVENTS,
  endpoints: EVENTS,
  sinks: WORLD,
  world: WORLD,
  listen: EVENTS,
  simulate: WORLD,
  trigger: WORLD,
  advance: WORLD,
  clock: WORLD,
  scenario: WORLD,
  exam: WORLD,
  show: EVERYTHING,
  open: EVERYTHING,
  logs: WORLD,
  seed: WORLD,
  purge: WORLD,
  completion: EVERYTHING,
  mcp: EVERYTHING,
  call: EVERYTHING,
};

const firstOf = (words: string) => words.split(' ')[0] ?? '';
const orderOf = (words: string) => Object.keys(HEADINGS).indexOf(firstOf(words));

/** Every command by its words. */
export const commands: Readonly<Record<string, Command>> = Object.fromEntries(
  Object.entries(ungrouped)
    .toSorted(([one], [other]) => orderOf(one) - orderOf(other))
    .map(([words, command]) => [words, { ...command, group: HEADINGS[firstOf(words)] }]),
);
