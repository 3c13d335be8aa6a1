/** The command line is invalid: prints why in a line, and where the usage is. */
export class UsageError extends Error {
  /** The words of the command whose usage helps; empty for the general usage. */
  readonly words: string;

  constructor(message: string, words = '') {
    super(message);
    this.words = words;
  }
}

/** One of several commands of a command line: the arguments after its words, and its own options. */
export interface Subcommand {
  readonly takes?: string;
  readonly options?: readonly string[];
}

/**
 * Runs a command line. `--help` prints the usage. An error prints its message in a line or two, and ends the process
 * with 1.
 * @param name the command as it is typed: `npm run keys`
 * @param usage may depend on the other words that were typed, since each command can have its own usage
 */
export function runCommand(
  name: string,
  usage: string | ((args: readonly string[]) => string),
  main: () => Promise<void>,
): void {
  const args = process.argv.slice(2);
  if (asksForHelp(args)) {
    console.log(typeof usage === 'string' ? usage : usage(args));
    return;
  }
  main().catch((error: Error & { code?: string }) => {
    console.error(sentenceOf(error, name, typeof usage !== 'string'));
    process.exit(1);
  });
}

/**
 * The command that a word names.
 * @throws UsageError that suggests a similar command
 */
export function commandNamed<Command>(
  commands: Readonly<Record<string, Command>>,
  word: string | undefined,
): Command {
  const command = word !== undefined && Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (command === undefined) {
    throw unknownCommand(word, Object.keys(commands));
  }
  return command;
}

/** An error for an unknown command, which suggests a similar one. */
export function unknownCommand(word: string | undefined, known: readonly string[]): UsageError {
  const there = `Commands: ${known.join(', ')}.`;
  if (word === undefined) {
    return new UsageError(`Missing command. ${there}`);
  }
  const meant = nearest(word, known);
  return new UsageError(`Unknown command "${word}". ${meant === null ? there : `Did you mean "${meant}"?`}`);
}

/** The closest known word to a mistyped one: at most a third of the letters differ; null if none is that close. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const near = known
    .map((word) => ({ word, changes: changesBetween(typed.toLowerCase(), word) }))
    .filter(({ word, changes }) => changes <= Math.max(typed.length, word.length) / 3)
    .toSorted((a, b) => a.changes - b.changes);
  return near[0]?.word ?? null;
}

/** ` Did you mean "…"?` for a mistyped word; empty if no known word is close. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const meant = nearest(typed, known);
  return meant === null ? '' : ` Did you mean "${meant}"?`;
}

/** The number of inserted, deleted or replaced letters between two words (Levenshtein). */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, place) => place);
  for (const letter of from) {
    const above = row;
    row = [(above[0] ?? 0) + 1];
    for (const [place, other] of [...to].entries()) {
      const replaced = (above[place] ?? 0) + (letter === other ? 0 : 1);
      row.push(Math.min(replaced, (above[place + 1] ?? 0) + 1, (row[place] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}

/**
 * Refuses options that a command does not use.
 * @param given the names of the options that were typed
 * @param general the options of all commands
 * @throws UsageError
 */
export function refuseForeign(
  words: string,
  { takes = '', options = [] }: Subcommand,
  args: readonly string[],
  given: readonly string[],
  general: readonly string[],
): void {
  const places = takes.endsWith('...') ? Infinity : takes.split(' ').filter((place) => place !== '').length;
  if (args.length > places) {
    throw new UsageError(
      `${words} takes ${takes === '' ? 'nothing more' : takes}, not "${args[places]}".`,
      words,
    );
  }
  const foreign = given.find((name) => !general.includes(name) && !options.includes(name));
  if (foreign !== undefined) {
    throw new UsageError(`${words} does not take --${foreign}.`, words);
  }
}

/** Arguments after `--` are for another program, such as CDK. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  return own.includes('--help') || own.includes('-h');
}

/** @param ofCommand whether each command has its own usage */
function sentenceOf(error: Error & { code?: string }, name: string, ofCommand: boolean): string {
  const isUsageError = error instanceof UsageError;
  if (!isUsageError && error.code?.startsWith('ERR_PARSE_ARGS') !== true) {
    return error.message;
  }
  // The first sentence of Node's message says what is wrong. The others explain how to pass such a value anyway.
  const [what = ''] = isUsageError
    ? [error.message]
    : error.message.split(/\.?(?:\n|$)|\. (?=To specify|This command)/);
  const words = isUsageError && ofCommand && error.words !== '' ? ` ${error.words}` : '';
  return `${what}${/[.?]$/.test(what) ? '' : '.'} "${name} --${words} --help" shows the usage.`;
}
