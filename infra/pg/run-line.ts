import { ConnectionError, ProblemError } from '../../shared/client/call-error.ts';
import { cleanText, jsonText } from '../terminal/clean-text.ts';
import { type Acts, type CommandLine, runCommand, UsageError } from '../terminal/command.ts';
import { CHECK_SERVICE, failureFields } from '../terminal/failure-fields.ts';
import { inBangkok } from '../terminal/lines.ts';
import type { ValuesOf } from '../terminal/option-form.ts';
import { PG } from '../terminal/options.ts';
import type { Command, PgRun } from '../terminal/pg-command.ts';
import { ReportFiles } from '../terminal/report-files.ts';
import { connect } from '../terminal/service.ts';
import { ADMIN, MOVED } from './admin.ts';
import { commands } from './commands.ts';
import { confirm } from './confirm.ts';

/* Every command of pg. */

const LINE = {
  name: 'pg',
  says: 'The API on the command line. Durations: 90s, 15m, 2h, 3d, 1h30m. Amounts are baht and satang: 1299.00',
  options: PG,
  commands: { ...commands, ...ADMIN },
  moved: MOVED,
} satisfies CommandLine;

/** Runs a command of the table through the client of the service. */
async function runAt(words: string, values: ValuesOf<typeof PG>, args: readonly string[]): Promise<void> {
  let reports: ReportFiles | undefined;
  try {
    reports = await ReportFiles.begin(values);
    const { isLive, ...connection } = await connect(values);
    const client = isLive && !values.yes ? confirm(connection.client) : connection.client;
    await commands[words]?.run?.({ ...connection, client, args, values, reports } satisfies PgRun);
  } catch (error) {
    await reports?.fail(sentenceOf(error));
    if (error instanceof UsageError && !values.json) {
      throw error;
    }
    throw new Error(values.json ? jsonOf(error) : inBangkok(sentenceOf(error)));
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ProblemError) {
    const fields = error.errors.map(({ field, message }) => `\n  ${cleanText(`${field} ${message}`)}`);
    const facts = Object.keys(error.details).length === 0 ? '' : `\n  ${jsonText(error.details)}`;
    const text = cleanText(`${error.title}. ${error.detail}`);
    return `${text}${fields.join('')}${facts}\n  ${cleanText(`${error.code}, request ${error.requestId}`)}`;
  }
  if (error instanceof ConnectionError) {
    const { idempotencyKey } = error;
    const again =
      idempotencyKey === null
        ? ''
        : `\n  The command may have taken effect. To repeat it safely, add --idempotency-key ${idempotencyKey}`;
    return `${cleanText(error.message)} ${CHECK_SERVICE}${again}`;
  }
  return error instanceof Error ? error.message : String(error);
}

function jsonOf(error: unknown): string {
  if (error instanceof ProblemError || error instanceof ConnectionError) {
    return jsonText(failureFields(error), 2);
  }
  return jsonText({ detail: sentenceOf(error) }, 2);
}

const acts: Record<string, Acts<typeof LINE>[string]> = {};
for (const [words, { run, runAlone }] of Object.entries<Command>(LINE.commands)) {
  if (runAlone !== undefined) {
    acts[words] = async (values, ...args) => runAlone(values, args, LINE);
  } else if (run !== undefined) {
    acts[words] = (values, ...args) => runAt(words, values, args);
  }
}

runCommand(LINE, acts);
