import { API_COMMANDS, OUTCOME_COMMAND } from '../commands/api-commands.ts';
import { EXAM_COMMAND } from '../exam/exam-command.ts';
import { MCP_COMMAND } from '../mcp/mcp-command.ts';
import { SCENARIO_COMMAND } from '../scenario/scenario-command.ts';
import { simulateCommand } from '../simulation/simulate-command.ts';
import { UsageError } from '../terminal/command.ts';
import { say } from '../terminal/output.ts';
import type { Command } from '../terminal/pg-command.ts';
import { completionScript, SHELLS } from './completion.ts';
import { SERVICE_COMMANDS } from './service-commands.ts';

const ungrouped: Readonly<Record<string, Command>> = {
  ...SERVICE_COMMANDS,
  ...API_COMMANDS,
  simulate: simulateCommand(OUTCOME_COMMAND),
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
  mcp: MCP_COMMAND,
};

/** The headings of the help with the first words of the commands under each, in the order of the commands. */
const GROUPS = [
  ['The service on this machine:', 'start run status stop init'],
  ['Payments:', 'payments refunds links payouts settlements'],
  ['Events and webhooks:', 'events endpoints'],
  ['Test world:', 'sinks world'],
  ['Events and webhooks:', 'listen'],
  ['Test world:', 'simulate trigger advance clock scenario exam'],
  ['Everything:', 'show open'],
  ['Test world:', 'logs seed purge'],
  ['Everything:', 'completion mcp'],
  ['Everything:', 'call'],
] as const;

function groupOf(words: string): number {
  const [first = ''] = words.split(' ');
  const index = GROUPS.findIndex(([, firstWords]) => firstWords.split(' ').includes(first));
  if (index === -1) {
    throw new Error(`The help has no heading for the command ${words}.`);
  }
  return index;
}

/** Every command by its words. */
export const commands: Readonly<Record<string, Command>> = Object.fromEntries(
  Object.entries(ungrouped)
    .toSorted(([one], [other]) => groupOf(one) - groupOf(other))
    .map(([words, command]) => [words, { ...command, group: GROUPS[groupOf(words)]?.[0] }]),
);
