import { readStage, stackNameOf } from '../aws/stage.ts';
import { formatTableChoice } from '../aws/table-choice.ts';
import { type Acts, type GivenTo, UsageError } from '../terminal/command.ts';
import { tableLines } from '../terminal/lines.ts';
import type { RESTORE } from '../terminal/options.ts';
import { complain } from '../terminal/output.ts';
import { print } from '../terminal/print.ts';
import { PROGRAM } from '../terminal/program-name.ts';
import type { RestoreReport } from './restore-report.ts';
import { findService } from './target.ts';

async function restore({ stage, to, json }: GivenTo<typeof RESTORE, ''>): Promise<void> {
  // Loaded here, since the report of a local service needs no AWS.
  const [{ explain, findStack, outputOf }, { copyTableAt }] = await Promise.all([
    import('./cloud.ts'),
    import('./restore-table.ts'),
  ]);
  const stackName = stackNameOf(readStage(stage));
  const stack = await findStack(stackName);
  const tableName = stack && outputOf(stack, 'TableName');
  if (tableName === null) {
    throw new Error(`There is no stage "${stage}" here. "${PROGRAM} admin stages" shows the stages.`);
  }
  const table = await copyTableAt(tableName, to, complain).catch((error) => {
    throw explain(error);
  });
  const choice = formatTableChoice(table);
  const next = `${PROGRAM} admin deploy --stage ${stage} -- -c table=${choice} -c workers=off`;
  print(
    json,
    { table: table.name, choice, next },
    `${table.name} is ${tableName} as it was at ${new Date(to).toISOString()}. Nothing uses it yet.`,
    'Next, the stage on it, paused, and the report of what is missing:',
    `  ${next}`,
    `  ${PROGRAM} admin restore report --since ${new Date(to).toISOString()} --stack ${stackName}`,
  );
}

async function report(values: GivenTo<typeof RESTORE, 'report'>): Promise<void> {
  const { since, received, merchant, mode, json } = values;
  if ((received === undefined) !== (merchant === undefined)) {
    throw new UsageError('--received and --merchant go together: the events of one receiver of a merchant.');
  }
  const service = await findService(values);
  // Loaded after the environment is set, because the store's client reads it.
  const { reportRestored } = await import('./restore-report.ts');
  const file = received === undefined ? null : { file: received, merchant: String(merchant), mode };
  const data = await reportRestored(service, since, file);
  print(json, data, ...linesOf(data));
}

const HELD = ['merchant', 'mode', 'last_sequence', 'outbox_entries', 'outbox_events'];
const WAITING = ['deliveries_queued', 'jobs_due', 'claims_open'];

function linesOf({ worlds, open, missing, unread, lost_events }: RestoreReport): string[] {
  const part = (title: string, none: string, lines: readonly string[]) =>
    lines.length === 0 ? ['', none] : ['', title, ...lines];
  const missingLines = missing.flatMap((row) => [
    ...tableLines([row], ['merchant', 'kind', 'id', 'reference', 'amount', 'state', 'created_at']).slice(1),
    `  ${row.to_do}`,
  ]);
  return [
    'What waits in each world, and its last event:',
    ...tableLines(worlds, [...HELD, ...WAITING]),
    ...part(
      'At a provider, with an outcome that is not known; jobs look it up:',
      'Nothing is open at a provider.',
      tableLines(open, ['merchant', 'kind', 'id', 'number', 'status']),
    ),
    ...part('At a provider, and not here:', 'No provider has anything that is missing here.', missingLines),
    ...unread.map(({ merchant, why }) => `Not compared: ${merchant} (${why}).`),
    ...(lost_events === null
      ? []
      : part(
          'Received, and not here; their numbers are given again:',
          'Every event that was received is here.',
          tableLines(lost_events, ['sequence', 'id']),
        )),
  ];
}

export const acts: Acts<typeof RESTORE> = { '': restore, report };
