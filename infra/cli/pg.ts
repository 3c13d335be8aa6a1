import { parseArgs } from 'node:util';
import { ConnectionError, ProblemError } from '../../shared/client/call-error.ts';
import { nearest, refuseForeign, runCommand, UsageError } from '../machine/command.ts';
import { type Command, OPTIONS, type Option } from './pg/command-form.ts';
import { commands } from './pg/commands.ts';
import { confirm } from './pg/confirm.ts';
import { cleanText } from './pg/lines.ts';
import { connect } from './pg/service.ts';

/* npm run pg: the API on the command line, through the client of shared/client. */

const GENERAL_USAGE = `
  Durations: 90s, 15m, 2h, 3d, 1h30m. Amounts are baht and satang: 1299.00

  --json                 prints the response of the API as JSON
  --yes                  skips the confirmation before purge and before any change with a live key
  --idempotency-key KEY  repeats a command that may have taken effect, without a second effect
  --base-url URL         URL of a service other than the local one (or set PG_BASE_URL)
  --key KEY              API key. Prefer PG_KEY: other users of this machine can see arguments
  --dir PATH             folder of the data of the local service and of "listen" (default .local)
`;

const GENERAL = {
  json: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'idempotency-key': { type: 'string' },
  'base-url': { type: 'string' },
  key: { type: 'string' },
  dir: { type: 'string', default: '.local' },
} as const;

/** The width of the words of the longest command, and a space. */
const WORDS_WIDTH = Math.max(...Object.keys(commands).map(({ length }) => length)) + 1;

const SPECIAL = Object.fromEntries(
  Object.entries(OPTIONS).map(([name, [value]]) => [name, { type: value === null ? 'boolean' : 'string' }]),
) as { [Name in Option]: { type: (typeof OPTIONS)[Name][0] extends null ? 'boolean' : 'string' } };

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { ...GENERAL, ...SPECIAL },
    allowPositionals: true,
  });
  if (positionals.length === 0) {
    return console.log(usage([]));
  }
  const found = find(positionals);
  if (found === null) {
    throw unknownWords(positionals);
  }
  const { words, command } = found;
  const args = positionals.slice(words.split(' ').length);
  refuseForeign(words, command, args, Object.keys(values), Object.keys(GENERAL));
  const { json, yes, 'idempotency-key': idempotencyKey } = values;
  // A reader that stops early, like head, has seen enough.
  process.stdout.on('error', () => process.exit(0));
  try {
    const { isLive, service, ...connection } = await connect(values);
    const client = isLive && !yes ? confirm(connection.client) : connection.client;
    await command.run({ client, service, args, values, json, yes, idempotencyKey, dir: values.dir });
  } catch (error) {
    if (error instanceof UsageError && !json) {
      throw new UsageError(error.message, words);
    }
    throw new Error(json ? jsonOf(error) : sentenceOf(error));
  }
}

/** The command that the first words name: two words, or one. */
function find(positionals: readonly string[]): { words: string; command: Command } | null {
  const [first = '', second] = positionals;
  for (const words of [`${first} ${second}`, first]) {
    const command = Object.hasOwn(commands, words) ? commands[words] : undefined;
    // `events` is a command by itself and the first word of others: `events list`.
    const isKind = words === first && second !== undefined && command?.takes === undefined;
    if (command !== undefined && !(isKind && wordsOf(first).length > 0)) {
      return { words, command };
    }
  }
  return null;
}

/** The second words of the commands that begin with this word: payments, refunds, … */
function wordsOf(kind: string): string[] {
  return Object.keys(commands).flatMap((words) =>
    words.startsWith(`${kind} `) ? words.slice(kind.length + 1) : [],
  );
}

/** An error for words that name no command, which suggests a similar one. */
function unknownWords([kind = '', word]: readonly string[]): UsageError {
  const there = wordsOf(kind);
  const all = Object.keys(commands);
  if (there.length === 0) {
    const typed = word === undefined ? kind : `${kind} ${word}`;
    const meant =
      nearest(typed, all) ?? nearest(kind, [...all, ...all.map((words) => words.replace(/ .*/, ''))]);
    const hint = meant === null ? '' : ` Did you mean "${meant}"?`;
    return new UsageError(`Unknown command "${meant?.includes(' ') ? typed : kind}".${hint}`);
  }
  if (word === undefined) {
    return new UsageError(`"${kind}" needs a subcommand: ${there.join(', ')}.`, kind);
  }
  const meant = nearest(word, there);
  const hint = meant === null ? `Commands: ${there.join(', ')}.` : `Did you mean "${kind} ${meant}"?`;
  return new UsageError(`Unknown command "${kind} ${word}". ${hint}`, kind);
}

/** The usage of one command, of the commands with the same first word, or of all. */
function usage(typed: readonly string[]): string {
  const { positionals } = parseArgs({
    args: [...typed],
    options: { ...GENERAL, ...SPECIAL },
    allowPositionals: true,
    strict: false,
  });
  const found = find(positionals);
  if (found !== null) {
    return usageOfOne(found.words, found.command);
  }
  const all = Object.entries(commands);
  const group = all.filter(([words]) => words.startsWith(`${positionals[0]} `));
  return `Usage:\n${(group.length > 0 ? group : all).map(usageOf).join('\n')}\n${GENERAL_USAGE}`;
}

function usageOfOne(words: string, { takes = '', options = [], says, more }: Command): string {
  const names = options.map(optionOf);
  const width = Math.max(0, ...names.map(({ length }) => length));
  const lines = options.map((name, place) => `  ${names[place]?.padEnd(width)}  ${OPTIONS[name][1]}`);
  return [
    `Usage:\n  npm run pg -- ${lineOf(words, takes, options)}\n`,
    `  ${says}`,
    ...(more === undefined ? [] : [`  ${more()}`]),
    ...(lines.length === 0 ? [] : ['', ...lines]),
    GENERAL_USAGE,
  ].join('\n');
}

function usageOf([words, { takes = '', options = [], says }]: [string, Command]): string {
  return `  ${lineOf(words.padEnd(WORDS_WIDTH), takes, options)}\n${' '.repeat(WORDS_WIDTH + 3)}${says}`;
}

function lineOf(words: string, takes: string, options: readonly Option[]): string {
  const parts = [words, takes, ...options.map((name) => `[${optionOf(name)}]`)];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .trimEnd();
}

/** An option and the name of its value: `--amount BAHT`. */
function optionOf(name: Option): string {
  return `--${name} ${OPTIONS[name][0] ?? ''}`.trimEnd();
}

function sentenceOf(error: unknown): string {
  if (error instanceof ProblemError) {
    const fields = error.errors.map(({ field, message }) => `\n  ${field} ${message}`);
    const facts = Object.keys(error.details).length === 0 ? '' : `\n  ${JSON.stringify(error.details)}`;
    const text = `${error.title}. ${error.detail}`.split('\n').map(cleanText).join(' ');
    return `${text}${fields.join('')}${facts}\n  ${error.code}, request ${error.requestId}`;
  }
  if (error instanceof ConnectionError) {
    const { idempotencyKey } = error;
    const again =
      idempotencyKey === null
        ? ''
        : `\n  The command may have taken effect. To repeat it safely, add --idempotency-key ${idempotencyKey}`;
    return `${error.message} Check that it runs ("npm start") and that the base URL is right.${again}`;
  }
  return error instanceof Error ? error.message : String(error);
}

function jsonOf(error: unknown): string {
  if (error instanceof ProblemError) {
    const { code, status, title, detail, details, errors, requestId: request_id } = error;
    return JSON.stringify({ code, status, title, detail, details, errors, request_id }, null, 2);
  }
  if (error instanceof ConnectionError) {
    const { reason, status, message: detail, idempotencyKey: idempotency_key } = error;
    return JSON.stringify({ code: reason, status, detail, idempotency_key }, null, 2);
  }
  return JSON.stringify({ detail: sentenceOf(error) }, null, 2);
}

runCommand('npm run pg', usage, main);
