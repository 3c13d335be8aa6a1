import { parseArgs } from 'node:util';
import { ConnectionError, ProblemError } from '../../shared/client/call-error.ts';
import { refuseForeign, runCommand } from './command.ts';
import { type Command, commands, OPTIONS, type Option } from './pg/commands.ts';
import { cleanText } from './pg/lines.ts';
import { connect } from './pg/service.ts';

/* npm run pg: the API on the command line, by the client of shared/client. */

const WORDS_WIDTH = 17;

const USAGE = `Usage:
${Object.entries(commands).map(usageOf).join('\n')}

  Durations are 90s, 15m, 2h, 3d or 1h30m; amounts are baht and satang: 1299.00

  --json                 prints what the API answers
  --idempotency-key KEY  repeats an earlier command, whose effect is not known, without doing it twice
  --base-url URL         another service than the local one (or PG_BASE_URL)
  --key KEY              its key. Others on this machine can see it there: rather set PG_KEY
  --dir PATH             where the local service keeps its data (default .local)
`;

const GENERAL = {
  json: { type: 'boolean', default: false },
  'idempotency-key': { type: 'string' },
  'base-url': { type: 'string' },
  key: { type: 'string' },
  dir: { type: 'string', default: '.local' },
} as const;

const SPECIAL = Object.fromEntries(
  Object.entries(OPTIONS).map(([name, value]) => [name, { type: value === null ? 'boolean' : 'string' }]),
) as { [Name in Option]: { type: (typeof OPTIONS)[Name] extends null ? 'boolean' : 'string' } };

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { ...GENERAL, ...SPECIAL },
    allowPositionals: true,
  });
  if (positionals.length === 0) {
    return console.log(USAGE);
  }
  const found = find(positionals);
  if (found === null) {
    throw new Error(USAGE);
  }
  const { words, command } = found;
  const args = positionals.slice(words.split(' ').length);
  refuseForeign(words, command, args, Object.keys(values), Object.keys(GENERAL));
  const { json, 'idempotency-key': idempotencyKey } = values;
  // Whoever reads no further, like head, has seen enough.
  process.stdout.on('error', () => process.exit(0));
  try {
    await command.run({ client: await connect(values), args, values, json, idempotencyKey });
  } catch (error) {
    throw new Error(json ? jsonOf(error) : sentenceOf(error));
  }
}

/** The command whose words come first: two, or one. */
function find(positionals: readonly string[]): { words: string; command: Command } | null {
  const [first = '', second] = positionals;
  for (const words of [`${first} ${second}`, first]) {
    const command = Object.hasOwn(commands, words) ? commands[words] : undefined;
    if (command !== undefined) {
      return { words, command };
    }
  }
  return null;
}

function usageOf([words, { takes = '', options = [], says }]: [string, Command]): string {
  const wishes = options.map((name) => `[--${name}${OPTIONS[name] === null ? '' : ` ${OPTIONS[name]}`}]`);
  const line = [words.padEnd(WORDS_WIDTH), takes, ...wishes].filter((part) => part !== '').join(' ');
  return `  ${line.trimEnd()}\n${' '.repeat(WORDS_WIDTH + 3)}${says}`;
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
        : `\n  Whether it was done is not known: the same with --idempotency-key ${idempotencyKey} tells.`;
    return `${error.message} Is it running ("npm start"), and is the base URL right?${again}`;
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

runCommand('npm run pg', USAGE, main);
