import { isId } from '../../domain/id.ts';
import type { LoggedRequest } from '../../domain/logged-request.ts';
import { endOfKeeping, REQUEST_KEPT_DAYS } from '../../domain/retention.ts';
import type { World } from '../../domain/world.ts';
import { foreignCursor } from '../../errors/problem.ts';
import { writeOne } from '../table/commit.ts';
import { isPastEnd, put, queryNewest } from '../table/item.ts';
import { requestKey, requestPks } from '../table/keys.ts';
import type { ListPage, PageRequest } from '../table/list.ts';
import { pack, unpack } from '../table/packed.ts';
import { TABLE } from '../table/table.ts';

/** Logs a request of a test world, instead of what was logged under its id before. */
export async function logRequest(world: World, request: LoggedRequest, realNowMs: number): Promise<void> {
  await writeOne(
    put({
      ...requestKey(world, request.id),
      [TABLE.ttl]: endOfKeeping(REQUEST_KEPT_DAYS, realNowMs),
      data: pack(JSON.stringify(request)),
    }),
  );
}

/** One page of the log of requests, newest first. The cursor holds the id of the page's last request. */
export async function listRequests(
  world: World,
  { limit, after: cursor }: PageRequest,
): Promise<ListPage<LoggedRequest>> {
  const after = cursor && Buffer.from(cursor, 'base64url').toString();
  if (after !== undefined && !isId('req', after)) {
    throw foreignCursor();
  }
  const shards = await Promise.all(
    requestPks(world).map((pk) =>
      queryNewest(pk, after === undefined ? undefined : ['sk < :sk', after], limit + 1),
    ),
  );
  // A page of a shard may end early, at a megabyte: what lies before its end is not known to be the next.
  const known = shards.map(({ items, isEnd }) => (isEnd ? '' : String(items.at(-1)?.sk)));
  const oldest = known.reduce((a, b) => (a > b ? a : b));
  const requests = shards
    .flatMap(({ items }) => items)
    .filter((item) => !isPastEnd(item) && String(item.sk) >= oldest)
    .toSorted((a, b) => (String(a.sk) < String(b.sk) ? 1 : -1))
    .map((item) => JSON.parse(unpack(item.data as Uint8Array)) as LoggedRequest);
  const data = requests.slice(0, limit);
  const last = requests.length > limit || oldest !== '' ? data.at(-1) : undefined;
  return { data, nextCursor: last === undefined ? null : Buffer.from(last.id).toString('base64url') };
}
