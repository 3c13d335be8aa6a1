import { readStage, stackNameOf } from '../aws/stage.ts';
import { formatTableChoice } from '../aws/table-choice.ts';
import type { Acts, GivenTo } from '../terminal/command.ts';
import type { RESTORE } from '../terminal/options.ts';
import { complain } from '../terminal/output.ts';
import { print } from '../terminal/print.ts';
import { PROGRAM } from '../terminal/program-name.ts';

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
    'Next, the stage on it, paused:',
    `  ${next}`,
  );
}

export const acts: Acts<typeof RESTORE> = { '': restore };
