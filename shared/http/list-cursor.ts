import { createHash } from 'node:crypto';
import type { Operation } from '../contract/operation.ts';
import type { World } from '../domain/world.ts';

const MARK_CHARS = 16;
/** These parameters choose a page of a list; all others choose the list. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['limit', 'after']);

type QueryValues = Readonly<Record<string, unknown>>;

/** The list of a request: its operation and path, its world, and its filters. */
export interface RequestedList {
  readonly row: Pick<Operation, 'id'>;
  readonly world: Pick<World, 'id' | 'epoch'>;
  readonly params: QueryValues;
  /** As its schema made it, so that two spellings of an instant are one filter. */
  readonly query: QueryValues;
}

/**
 * A position in a list as clients get it. It is bound to the list: at another one, or with other filters, the same position
 * would end a walk early or skip a part (contract §13).
 */
export function sealCursor(list: RequestedList, position: string): string {
  return markOf(list, position) + position;
}

/** The position that a cursor names; null if it is not one of this list, or was changed. */
export function openCursor(list: RequestedList, cursor: string): string | null {
  const position = cursor.slice(MARK_CHARS);
  return sealCursor(list, position) === cursor ? position : null;
}

function markOf({ row, world, params, query }: RequestedList, position: string): string {
  const filters = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !PAGE_PARAMETERS.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const bound = JSON.stringify([row.id, world.id, world.epoch, Object.entries(params), filters, position]);
  return createHash('sha256').update(bound).digest('base64url').slice(0, MARK_CHARS);
}
