import { PG_OPTIONS } from '../terminal/options.ts';
import type { Command } from '../terminal/pg-command.ts';
import { KIT_GROUP, TOOL_GROUPS } from './tool-groups.ts';

const USAGE = `The groups of tools: ${TOOL_GROUPS.join(', ')}.
  Those of ${KIT_GROUP} run a scenario, tell the story of a payment, and put a receiver to the exam.
  With fewer groups, an agent has less to read: --groups payments,webhooks.`;

export const MCP_COMMAND: Command = {
  options: { groups: { ...PG_OPTIONS.groups, choices: TOOL_GROUPS } },
  says: 'Serve MCP over standard input and output, for agents: a tool for each operation, in test mode',
  more: USAGE,
  // Loaded here, since no other command needs it.
  run: async (run) => (await import('./mcp.ts')).serveMcp(run),
};
