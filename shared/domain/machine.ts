import { Problem } from '../errors/problem.ts';

/** A state machine as a table: state × command → next state. A final state is `{}`. */
export type Machine<State extends string, Command extends string> = {
  readonly [from in State]: { readonly [command in Command]?: State };
};

export type AnyMachine = Machine<string, string>;

/**
 * The state that a command leads to.
 * @throws Problem `invalid_state` if the table does not allow the command: a command is never silently ignored.
 */
export function nextState<S extends string, C extends string>(
  machine: Machine<S, C>,
  state: S,
  command: C,
): S {
  const next = machine[state][command];
  if (next === undefined) {
    throw notAllowed(machine, state, command);
  }
  return next;
}

/** The refusal of a command that a state does not allow: it names the state, and the states that would allow it. */
export function notAllowed<S extends string, C extends string>(
  machine: Machine<S, C>,
  state: S,
  command: C,
): Problem {
  return invalidState(command, state, statesAllowing(machine, command));
}

/** The states from which the table allows a command. */
export function statesAllowing<S extends string, C extends string>(machine: Machine<S, C>, command: C): S[] {
  return (Object.keys(machine) as S[]).filter((from) => machine[from][command] !== undefined);
}

/** The states that something leads out of. */
export function openStates<S extends string>(machine: Machine<S, string>): S[] {
  return (Object.keys(machine) as S[]).filter((state) => Object.keys(machine[state]).length > 0);
}

/**
 * The refusal of an operation that no machine has.
 * @param operation a word in camelCase: `cancel`, `requireAction`
 */
export function invalidState(operation: string, status: string, allowedFrom: readonly string[]): Problem {
  const words = operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return new Problem('invalid_state', {
    detail: `It is ${status}. ${title} works from ${new Intl.ListFormat('en').format(allowedFrom)}.`,
    details: { current_status: status, allowed_from: allowedFrom },
  });
}
