import type { Stack } from '@aws-sdk/client-cloudformation';
import { CHOSEN_TABLE_OUTPUT, WORKERS_OUTPUT } from '../aws/table-choice.ts';
import { outputOf } from './cloud.ts';
import type { StageTemplate } from './stage-template.ts';

/** The table that a deployment names, and whether its workers are on: undefined where it does not say. */
interface TableSettings {
  readonly table?: string | undefined;
  readonly workers?: string | undefined;
}

const SETTING = /^(?:-c|--context)?=?(table|workers)=(.+)$/;

/**
 * What CDK is to be told beside what it is given, so that a stage stays on its restored table, and paused, until
 * somebody says otherwise: a deployment that does not name the table would make a new, empty one.
 * @param deployed the stack as it is; null where there is none
 * @throws Error where the stage would work on another table before anybody has looked
 */
export function settingsToKeep(deployed: Stack | null, given: readonly string[]): string[] {
  const now = deployedSettings(deployed);
  const said: TableSettings = Object.fromEntries(
    given.flatMap((arg) => {
      const [, name, value] = SETTING.exec(arg) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
  const table = said.table ?? now.table;
  const workers = said.workers ?? now.workers;
  refuseEarlyWork(now, { table, workers });
  return [
    ...(said.table === undefined && table !== undefined ? ['-c', `table=${table}`] : []),
    ...(said.workers === undefined && workers !== undefined ? ['-c', `workers=${workers}`] : []),
  ];
}

/**
 * Refuses what was built elsewhere, where it would take a stage from its table, or begin its work.
 * @throws Error with what to build
 */
export function requireKept(deployed: Stack | null, built: StageTemplate, stackName: string): void {
  const now = deployedSettings(deployed);
  const [table, workers] = [CHOSEN_TABLE_OUTPUT, WORKERS_OUTPUT].map(
    (name) => built.Outputs?.[name]?.Value as string | undefined,
  );
  if (now.table !== undefined && table !== now.table) {
    throw new Error(
      `${stackName} is on the table ${now.table}, and what was built is not: it would get another, without its data. Build it with CHOSEN_TABLE=${now.table} and WORKERS=${now.workers}.`,
    );
  }
  if (now.workers === 'off' && workers !== 'off') {
    throw new Error(
      `${stackName} is paused, and what was built would begin to work. Build it with WORKERS=off, or let it work first: see infra/restore.md.`,
    );
  }
  refuseEarlyWork(now, { table, workers });
}

function refuseEarlyWork(now: TableSettings, next: TableSettings): void {
  if (next.table !== undefined && next.table !== now.table && next.workers !== 'off') {
    throw new Error(
      `The first deployment on the table ${next.table} is a paused one: add -c workers=off. See infra/restore.md before workers=on.`,
    );
  }
}

/** Workers are said where a stage is on a restored table, or paused. */
function deployedSettings(deployed: Stack | null): TableSettings {
  const table = (deployed && outputOf(deployed, CHOSEN_TABLE_OUTPUT)) ?? undefined;
  const workers =
    (deployed && outputOf(deployed, WORKERS_OUTPUT)) ?? (table === undefined ? undefined : 'on');
  return { table, workers };
}
