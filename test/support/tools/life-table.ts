import { type Machine, nextState } from '../../../shared/domain/machine.ts';

/** One cell of a state table: the state after a command in a state; null means that it is refused. */
export interface Square {
  readonly from: string;
  readonly command: string;
  readonly to: string | null;
}

/** Reads a table with a heading of commands and one line per state; `-` stands for "refused". */
export function readLife(table: string): Square[] {
  const [heading = [], ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([from = '', ...targets]) => {
    if (targets.length !== heading.length) {
      throw new Error(`the line of ${from} has ${targets.length} entries for ${heading.length} commands`);
    }
    return targets.map((to, index) => ({ from, command: heading[index] ?? '', to: to === '-' ? null : to }));
  });
}

/** The states in which the table lets a command through. */
export function statesAllowing(life: readonly Square[], command: string): string[] {
  return life.filter((square) => square.command === command && square.to !== null).map(({ from }) => from);
}

/** Takes a step by name, as a caller from outside would. */
export function take(machine: Machine<string, string>, { from, command }: Square): string {
  return nextState(machine, from, command);
}

/** Every state that a machine can reach from its first one. */
export function reachableFrom(machine: Machine<string, string>, start: string): Set<string> {
  const reached = new Set([start]);
  for (const state of reached) {
    for (const next of Object.values(machine[state] ?? {})) {
      reached.add(String(next));
    }
  }
  return reached;
}
