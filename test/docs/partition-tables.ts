import { globSync, readFileSync } from 'node:fs';
import { RESOURCES } from '../../shared/domain/resource.ts';
import { INDEX_PARTITIONS, PARTITIONS } from '../../shared/store/table/keys.ts';
import { listBy, RESOURCE_ITEMS } from '../../shared/store/table/resource-items.ts';

const SCOPE = /^\?+\.\*/;

/** The partitions of the table and of its indexes, each with the comment that it has in the code. */
export function partitionTables(): string[] {
  const file = globSync('shared/store/**/*.ts').find((one) =>
    /^export const PARTITIONS\b/m.test(readFileSync(one, 'utf8')),
  );
  const [, own = '', indexes = ''] = readFileSync(String(file), 'utf8').split(
    /^export const (?:INDEX_)?PARTITIONS\b/m,
  );
  const [, ...byIndex] = indexes.split(/^ {2}(?=\w+: \{)/m);
  const lists = Object.entries<Readonly<Record<string, string>>>(INDEX_PARTITIONS).flatMap(
    ([index, partitions]) => {
      const text = byIndex.find((one) => one.startsWith(`${index}:`)) ?? '';
      return rowsOf(partitions, text).map((row) => `| \`${index}\` ${row}`);
    },
  );
  return [
    '| Partition | What it holds |',
    '|---|---|',
    ...rowsOf(PARTITIONS, own),
    '',
    '| Index | Partition | What it lists |',
    '|---|---|---|',
    ...lists,
  ];
}

function rowsOf(partitions: Readonly<Record<string, string>>, text: string): string[] {
  const comments = new Map(
    [...text.matchAll(/\/\*\* (.+)\. \*\/\n +'?([A-Z-]+)'?: /g)].map(([, comment, name]) => [name, comment]),
  );
  return Object.entries(partitions).map(([name, pattern]) => {
    const what = comments.get(name) ?? resourceOf(name);
    if (what === undefined) {
      throw new Error(`the partition ${name} has no comment`);
    }
    return `| \`${pattern.replace(SCOPE, '<scope>')}\` | ${what} |`;
  });
}

function resourceOf(partition: string): string | undefined {
  const names = Object.keys(RESOURCE_ITEMS) as (keyof typeof RESOURCE_ITEMS)[];
  const whats = names.map((name) => {
    const { partition: own } = RESOURCE_ITEMS[name];
    const plural = RESOURCES[name].plural.replaceAll('_', ' ');
    const by = listBy(name);
    return {
      [own]: `One of the ${plural}, by its id`,
      [`${own}S`]: `The ${plural}, newest first`,
      ...(by !== null && { [by.partition]: `The ${plural} that share a \`${by.filter}\`` }),
    };
  });
  return (Object.assign({}, ...whats) as Readonly<Record<string, string>>)[partition];
}
