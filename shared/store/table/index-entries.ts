import { callTable } from './client.ts';
import type { StoredItem } from './item.ts';
import { isListedIn, type Key } from './keys.ts';
import { INDEXES, type IndexName } from './table.ts';

/** An item in an index: the item's key, and its sort key in the partition of the index. */
export interface IndexEntry extends Key {
  readonly indexSk: string;
}

/** A part of a partition of an index. */
export interface IndexQuery {
  readonly index: IndexName;
  readonly pk: string;
  /** How the sort keys of the index compare with a text. */
  readonly where?: readonly [comparison: '=' | '<' | '<=', sk: string];
  readonly newestFirst?: boolean;
  readonly limit?: number;
  /** Where an earlier page has ended. */
  readonly from?: StoredItem | undefined;
}

export interface IndexPage {
  readonly entries: readonly IndexEntry[];
  /** Where the next page begins; undefined where no more follow. */
  readonly next: StoredItem | undefined;
}

/**
 * A page of an index: the one way to read any. An index lists whatever has its attributes, so a function that may write
 * one kind of item could list it as another kind, or for another world. Such entries are left out and logged.
 */
export async function queryIndex({
  index,
  pk,
  where,
  newestFirst = false,
  limit,
  from,
}: IndexQuery): Promise<IndexPage> {
  const { partitionKey, sortKey } = INDEXES[index];
  const entries: IndexEntry[] = [];
  let next = from;
  let isShort: boolean;
  do {
    const output = await callTable('Query', {
      IndexName: index,
      KeyConditionExpression: where === undefined ? '#pk = :pk' : `#pk = :pk AND #sk ${where[0]} :sk`,
      ExpressionAttributeNames: { '#pk': partitionKey, ...(where && { '#sk': sortKey }) },
      ExpressionAttributeValues: { ':pk': pk, ...(where && { ':sk': where[1] }) },
      ScanIndexForward: !newestFirst,
      ...(limit !== undefined && { Limit: limit - entries.length }),
      ...(next && { ExclusiveStartKey: next }),
    });
    const read = (output.Items ?? []).map((item) => toEntry(item, sortKey));
    const genuine = read.filter((entry) => isListedIn(pk, entry.indexSk, entry.pk));
    // Else forged entries could fill a page, and hide what follows.
    isShort = genuine.length < read.length;
    if (isShort) {
      logForged(index, read.length - genuine.length);
    }
    entries.push(...genuine);
    next = output.LastEvaluatedKey;
  } while (isShort && next !== undefined && entries.length < Number(limit));
  return { entries, next };
}

/** All pages of a part of an index. */
export async function* indexPages(query: Omit<IndexQuery, 'from'>): AsyncGenerator<readonly IndexEntry[]> {
  let from: StoredItem | undefined;
  do {
    const page = await queryIndex({ ...query, from });
    yield page.entries;
    from = page.next;
  } while (from !== undefined);
}

function toEntry(item: StoredItem, sortKey: string): IndexEntry {
  return { pk: String(item.pk), sk: String(item.sk), indexSk: String(item[sortKey]) };
}

/** Writes a line in the format of the service's log. It leaves out the entries, whose texts may be forged. */
function logForged(index: IndexName, entries: number): void {
  const timestamp = new Date().toISOString();
  const message = 'an index listed an item that is none of its own';
  const line = { level: 'ERROR', message, timestamp, index, entries };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
