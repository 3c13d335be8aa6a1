import { Problem } from '../errors/problem.ts';

/** A state machine as a table: state × command → next state. A final state is `{}`. */
export type Machine<State extends string, Command extends string> = {
  readonly [from in State]: { readonly [command in Command]?: State };
};

export type AnyMachine = Machine<string, string>;

/** The states in which a command is possible, in the order of the table. */
export function allowedFrom<S extends string, C extends string>(machine: Machine<S, C>, command: C): S[] {
  return (Object.keys(machine) as S[]).filter((state) => machine[state][command] !== undefined);
}

/**
 * The state that a command leads to.
 * @throws Problem `invalid_state` where the table does not allow the command (contract, principle 4).
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

/** The refusal of a command that a state does not allow. */
export function notAllowed<S extends string, C extends string>(
  machine: Machine<S, C>,
  state: S,
  command: C,
): Problem {
  return new Problem('invalid_state', {
    details: { current_status: state, allowed_from: allowedFrom(machine, command) },
  });
}
