/*
 * The table that a stage uses in place of the one that its stack makes: one that was restored. A name is not enough,
 * since the stream of a table has a label of its own, which nothing can derive.
 */

/** A table that exists, and its stream. */
export interface TableChoice {
  readonly name: string;
  readonly streamLabel: string;
}

/** The outputs of a stack that say so, for the next deployment: without them, it would get a new, empty table. */
export const CHOSEN_TABLE_OUTPUT = 'ChosenTable';
export const WORKERS_OUTPUT = 'Workers';

const CHOICE = /^([A-Za-z0-9_.-]{3,255})\/stream\/([0-9T:.-]+)$/;

/**
 * Reads `NAME/stream/LABEL`, the end of the ARN of a table's stream.
 * @param stackName whose own table, or a restored copy of it, it must be: another stage's would take its data
 * @throws Error that says what it takes
 */
export function readTableChoice(given: string, stackName: string): TableChoice {
  const [, name = '', streamLabel = ''] = CHOICE.exec(given) ?? [];
  if (!name.startsWith(`${stackName}-Table`)) {
    throw new Error(`table takes a table of ${stackName} with its stream: ${stackName}-Table…/stream/….`);
  }
  return { name, streamLabel };
}

export function formatTableChoice({ name, streamLabel }: TableChoice): string {
  return `${name}/stream/${streamLabel}`;
}
