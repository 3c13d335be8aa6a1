import { Command, CommanderError, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { endWithNpm } from './end-with-npm.ts';
import type { OptionForm, Options, ValuesOf } from './option-form.ts';
import { complain, outliveOutput } from './output.ts';
import { reachLoopback } from './reach-loopback.ts';
import { unlessInterrupted } from './undo-at-end.ts';

/** The command line is invalid: prints why in a line, and where the help is. */
export class UsageError extends Error {}

export interface CommandForm {
  /** A line that is one command says it itself. */
  readonly says?: string;
  /** Another name of its last word. */
  readonly alias?: string;
  /** Its arguments: `<ID> [OUTCOME]`. */
  readonly takes?: string;
  /** What the completion of a shell offers for each of its arguments. */
  readonly choices?: readonly (readonly string[])[];
  readonly options?: Options;
  /** The end of its help. */
  readonly more?: string;
  /** The heading under which the help lists its first word. */
  readonly group?: string | undefined;
  /** The options that it shares with the commands beside it, in place of those of its line. */
  readonly shared?: Options;
  /**
   * The exit code of an error that is no verdict, by the words that were typed: without it, 1. A command whose verdict is
   * bad sets the exit code of the process to 1 itself.
   */
  readonly errorCode?: (words: readonly string[]) => number;
}

/** Commands that share options. */
export interface CommandGroup {
  readonly says: string;
  /** The options of all its commands. */
  readonly options?: Options;
  /** By their words: `payments create`. A group that is one command has it under ''. */
  readonly commands: Readonly<Record<string, CommandForm>>;
}

export interface CommandLine extends CommandGroup {
  /** As it is typed: `npm start`, `pg`. */
  readonly name: string;
  /** First words that it had once, with the words that took their place. */
  readonly moved?: Readonly<Record<string, string>>;
}

type OwnOptions<Form> = Form extends { readonly options: infer Own } ? Own : unknown;
/** The values of a command's options, and of those that it shares with the other commands of its group. */
export type GivenTo<Group extends CommandGroup, Words extends keyof Group['commands']> = ValuesOf<
  OwnOptions<Group['commands'][Words]> & OwnOptions<Group>
>;
/** What each command of a group does with the values of its options and its arguments. */
export type Acts<Group extends CommandGroup> = {
  readonly [Words in keyof Group['commands']]: (
    values: GivenTo<Group, Words>,
    ...args: string[]
  ) => Promise<void>;
};

/** @throws UsageError whose message begins with a name, where reading throws what it takes */
export function readAs<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${name} ${(error as Error).message}`);
  }
}

/** What npm does not pass on without `--` before it. */
function typedName({ name }: CommandLine): string {
  return name.startsWith('npm ') ? `${name} --` : name;
}

function isRunByNpm({ name }: CommandLine, env: NodeJS.ProcessEnv): boolean {
  return name === `npm ${env.npm_lifecycle_event}`;
}

/**
 * The option that npm took for one of its own, because `--` was forgotten: npm leaves it in the environment.
 * @param env of the process
 * @internal
 */
export function swallowedOption(line: CommandLine, env: NodeJS.ProcessEnv): string | undefined {
  if (!isRunByNpm(line, env)) {
    return undefined;
  }
  const names = [line, ...Object.values(line.commands)].flatMap(({ options = {} }) => Object.keys(options));
  return names.find((name) => {
    const value = env[`npm_config_${name.replaceAll('-', '_')}`] ?? '';
    return value !== '' && value !== 'false';
  });
}

/**
 * Runs a command line. `--help` prints the help. An error prints its message in a line or two, and ends the process
 * with 1.
 */
export function runCommand<Line extends CommandLine>(line: Line, acts: Acts<Line>): void {
  outliveOutput();
  reachLoopback();
  if (isRunByNpm(line, process.env)) {
    endWithNpm();
  }
  const program = new CommandProgram(line, acts);
  const swallowed = swallowedOption(line, process.env);
  if (swallowed !== undefined) {
    complain(
      `npm took --${swallowed} for an option of its own. Put -- after the name of the script: ${line.name} -- …`,
    );
    process.exit(1);
  }
  program.run();
}

const SHARED_HEADING = 'Global Options:';

/** A command line as commander has it. */
class CommandProgram<Line extends CommandLine> {
  readonly #line: Line;
  readonly #acts: Acts<Line>;
  readonly #program: Command;
  /** The command whose words were read last, which an error is about. */
  #current: Command;
  readonly #forms = new Map<Command, CommandForm>();

  constructor(line: Line, acts: Acts<Line>) {
    this.#line = line;
    this.#acts = acts;
    this.#program = this.#prepare(new Command(typedName(line)))
      .description(line.says)
      .version(manifest.version, '--version', 'prints the version')
      .enablePositionalOptions();
    this.#current = this.#program;
    this.#addOptions(this.#program, line.options);
    if (!('' in line.commands)) {
      this.#program.helpCommand('help [COMMAND]', 'Print the help of a command');
    }
    const sharedBy = new Map<Command, Options | undefined>();
    for (const [words, form] of Object.entries(line.commands)) {
      const command = this.#addCommand(words, form);
      this.#forms.set(command, form);
      sharedBy.set(command, form.shared ?? line.options);
    }
    for (const command of descendantsOf(this.#program)) {
      this.#addOptions(command, sharedBy.get(command) ?? line.options, SHARED_HEADING);
    }
    for (const group of this.#program.commands.filter((command) => command.description() === '')) {
      group.description(namesIn(group));
    }
  }

  run(): void {
    this.#program.parseAsync().catch(async (error: Error) => {
      await unlessInterrupted();
      if (error instanceof CommanderError && error.exitCode === 0) {
        // The help was printed.
        return;
      }
      const isUsage = error instanceof UsageError || error instanceof CommanderError;
      const text = isUsage
        ? `${sentenceOf(error, this.#current, this.#line)} ${helpOf(this.#current)}`
        : error.message;
      complain(...text.split('\n'));
      process.exit(process.exitCode ?? this.#forms.get(this.#current)?.errorCode?.(process.argv) ?? 1);
    });
  }

  #prepare(command: Command): Command {
    return command
      .helpOption('-h, --help', 'prints the help')
      .configureOutput({ writeErr: () => undefined })
      .exitOverride((error) => {
        this.#current = command;
        throw error;
      });
  }

  #addOptions(command: Command, options: Options = {}, heading?: string): void {
    for (const [name, form] of Object.entries(options)) {
      const { read = (given) => given, value, isRepeated = false } = form;
      const option = optionOf(name, form);
      if (heading !== undefined) {
        option.helpGroup(heading);
      }
      if (value !== undefined) {
        option.argParser((given, earlier) => {
          this.#current = command;
          // A value would silently take the place of another one.
          if (!isRepeated && givenTo(command, option.attributeName()) !== undefined) {
            throw new UsageError(`--${name} is given twice.`);
          }
          return readAs(`--${name}`, () => read(given, earlier));
        });
      }
      command.addOption(option);
    }
  }

  #addCommand(words: string, form: CommandForm): Command {
    const { says = this.#line.says, alias, takes = '', options, more, group } = form;
    const command = words.split(' ').reduce((parent, word) => {
      const known = word === '' ? parent : parent.commands.find((each) => each.name() === word);
      return known ?? this.#prepare(parent.command(word));
    }, this.#program);
    this.#addOptions(command.description(says), options);
    if (alias !== undefined) {
      command.alias(alias);
    }
    if (group !== undefined) {
      this.#program.commands.find((each) => each.name() === words.split(' ')[0])?.helpGroup(group);
    }
    if (takes !== '') {
      command.arguments(takes);
    }
    if (more !== undefined) {
      command.addHelpText('after', `\n${more}`);
    }
    const act = this.#acts[words as keyof Line['commands']];
    if (act !== undefined) {
      command.action(async () => {
        this.#current = command;
        await act(this.#valuesOf(command, form) as GivenTo<Line, string>, ...command.args);
      });
    }
    return command;
  }

  /** @throws UsageError for a required option that is missing, and for one that the command does not take */
  #valuesOf(command: Command, { options, shared = this.#line.options }: CommandForm): object {
    const taken = { ...shared, ...options };
    // Given before the words of the command, it would silently be without effect.
    const foreign = this.#program.options.find(
      (option) => !(option.name() in taken) && givenTo(this.#program, option.attributeName()) !== undefined,
    );
    if (foreign !== undefined) {
      throw new UsageError(`Unknown option '${foreign.long}'.`);
    }
    const missing: string[] = [];
    const values = Object.entries(taken).map(([name, form]) => {
      const option = optionOf(name, form);
      const value = givenTo(command, option.attributeName()) ?? form.byDefault;
      if (form.isRequired && value === undefined) {
        missing.push(option.flags);
      }
      return [name, value];
    });
    if (missing.length > 0) {
      throw new UsageError(`Missing option${missing.length > 1 ? 's' : ''}: ${missing.join(', ')}.`);
    }
    return Object.fromEntries(values);
  }
}

function descendantsOf(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** What was typed after the command, or before it; undefined where it was not. */
function givenTo(command: Command, name: string): unknown {
  for (let at: Command | null = command; at !== null; at = at.parent) {
    const source = at.getOptionValueSource(name);
    if (source !== undefined && source !== 'default') {
      return at.getOptionValue(name);
    }
  }
  return undefined;
}

function optionOf(name: string, { value, says, isRequired, byDefault }: OptionForm): Option {
  const flags = `--${name}${value === undefined ? '' : ` <${value}>`}`;
  // A switch is off by default: the help need not say so.
  return new Option(flags, isRequired ? `${says} (required)` : says).default(byDefault || undefined);
}

function sentenceOf(error: Error, command: Command, { name, moved = {} }: CommandLine): string {
  if (!(error instanceof CommanderError)) {
    return ended(error.message);
  }
  if (error.code === 'commander.help') {
    return `Missing command. Commands: ${namesIn(command)}.`;
  }
  const [, old = ''] = /^error: unknown command '(.+?)'/.exec(error.message) ?? [];
  if (command.parent === null && Object.hasOwn(moved, old)) {
    return `"${name} ${old}" is "${name} ${moved[old]}" now.`;
  }
  const what = error.message
    .replace('error: ', '')
    // The words themselves may be secrets.
    .replace(/( but got \d+): .*$/s, '$1')
    .replace(/\n\((.*)\)$/, '. $1');
  return ended(`${what[0]?.toUpperCase()}${what.slice(1)}`);
}

function ended(sentence: string): string {
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function namesIn(command: Command): string {
  return command.commands.map((each) => each.name()).join(', ');
}

function helpOf(command: Command): string {
  const words: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) {
    words.unshift(at.name());
  }
  return `"${words.join(' ')} --help" shows the usage.`;
}
