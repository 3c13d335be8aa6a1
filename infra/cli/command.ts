/** What was typed is not understood: who typed it is told in a line what, and where the usage is. */
export class UsageError extends Error {}

/** A command of a command line that has several: what follows its words, and its own options. */
export interface Subcommand {
  readonly takes?: string;
  readonly options?: readonly string[];
}

/**
 * Runs a command line. `--help` prints the usage; what goes wrong is said in its own words, in a line or two, and ends
 * the process with 1.
 * @param name how the command is called: `npm run keys`
 */
export function runCommand(name: string, usage: string, main: () => Promise<void>): void {
  if (asksForHelp(process.argv.slice(2))) {
    console.log(usage);
    return;
  }
  main().catch((error: Error & { code?: string }) => {
    console.error(sentenceOf(error, name));
    process.exit(1);
  });
}

/** Says that a word names no command. */
export function unknownCommand(word: string | undefined, known: readonly string[]): UsageError {
  const there = `There ${known.length === 1 ? 'is' : 'are'}: ${known.join(', ')}.`;
  return new UsageError(
    word === undefined ? `Name a command. ${there}` : `There is no command "${word}". ${there}`,
  );
}

/**
 * Refuses what a command would not look at.
 * @param given the names of the options that were typed
 * @param general those of all commands
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
    throw new UsageError(`${words} takes ${takes === '' ? 'nothing more' : takes}, not "${args[places]}".`);
  }
  const foreign = given.find((name) => !general.includes(name) && !options.includes(name));
  if (foreign !== undefined) {
    throw new UsageError(`${words} does not take --${foreign}.`);
  }
}

/** What follows `--` is for somebody else, such as CDK. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  return own.includes('--help') || own.includes('-h');
}

function sentenceOf(error: Error & { code?: string }, name: string): string {
  const isMistyped = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS');
  if (!isMistyped) {
    return error.message;
  }
  // Node says in its first sentence what is wrong, and in the others how to mean it all the same.
  const [what = ''] = error.message.split(/\.?(?:\n|$)|\. (?=To specify|This command)/);
  return `${what}. "${name} -- --help" shows the usage.`;
}
