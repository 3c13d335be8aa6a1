import { OWN_JOBS } from '../../domain/job.ts';
import type { Mode } from '../../domain/world.ts';
import { indexPages } from '../table/index-entries.ts';
import { countPartition, type Filter, queryOf, queryPages, type StoredItem } from '../table/item.ts';
import { type DuePk, duePks, isQueue, type JobPk, skUntil, worldIdOfPk } from '../table/keys.ts';

const JOBS_AT_ONCE_PER_SHARD = 100;
/** A page holds thousands of entries: worlds beyond these pages wait for the next tick. */
const DUE_PAGES_PER_SHARD = 20;
/** Leaves out the service's own jobs. */
const MERCHANTS: Filter = { attribute: 'kind', noneOf: OWN_JOBS };

/** Jobs that are due by an instant, those of each partition in due order. */
export interface DueJobs {
  readonly items: readonly StoredItem[];
  /** The sort key up to which `items` is complete. */
  readonly horizon: string;
  /** Whether `items` holds all due jobs: false where a shard has more than one read returns. */
  readonly isAll: boolean;
}

/** Whose jobs: the merchant's, or the service's own as well. */
export type Whose = 'merchant' | 'all';

/** @param pks partitions of jobs */
export async function readDueJobs(
  pks: readonly JobPk[],
  untilMs: number,
  whose: Whose = 'all',
): Promise<DueJobs> {
  const until = skUntil(untilMs);
  const shards = await Promise.all(pks.map((pk) => queryJobs(pk, until, JOBS_AT_ONCE_PER_SHARD, whose)));
  const ends = shards.flatMap((items) =>
    items.length < JOBS_AT_ONCE_PER_SHARD ? [] : [String(items.at(-1)?.sk)],
  );
  const horizon = ends.reduce((least, end) => (end < least ? end : least), until);
  const items = shards.flat().filter(({ sk }) => String(sk) <= horizon);
  return { items, horizon, isAll: ends.length === 0 };
}

/** Whether a job of the merchant's in these partitions is due by an instant. */
export async function isAnyDue(pks: readonly JobPk[], untilMs: number): Promise<boolean> {
  const { items } = await readDueJobs(pks, untilMs, 'merchant');
  return items.length > 0;
}

/** How many jobs of the merchant's in these partitions are due by an instant. */
export async function countDueJobs(pks: readonly JobPk[], untilMs: number): Promise<number> {
  const until = skUntil(untilMs);
  const counts = await Promise.all(pks.map((pk) => countPartition(pk, ['sk <= :sk', until], MERCHANTS)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** When the next job of the merchant's in these partitions is due, on the merchant's clock, or null. */
export async function nextJobAt(pks: readonly JobPk[]): Promise<number | null> {
  const heads = await Promise.all(
    pks.map((pk) => queryJobs(pk, skUntil(Number.MAX_SAFE_INTEGER), 1, 'merchant')),
  );
  const times = heads.flat().map(({ sk }) => Number.parseInt(String(sk), 10));
  return times.length === 0 ? null : Math.min(...times);
}

/** Where work of a mode is due, and since when the oldest is, in real time; queued delivery attempts do not count for that. */
export interface DueWork {
  /** By world: the partitions that hold it. */
  readonly pks: ReadonlyMap<string, ReadonlySet<string>>;
  readonly oldestDueAtMs: number | null;
}

/** Finds the work of a mode that is due by a real instant: a query per shard, never a scan. */
export async function findDueWork(mode: Mode, realUntilMs: number): Promise<DueWork> {
  const shards = await Promise.all(duePks(mode).map((pk) => queryDue(pk, skUntil(realUntilMs))));
  const oldestDueAtMs = Math.min(...shards.map((shard) => shard.oldestDueAtMs));
  return {
    pks: byWorld(shards.flatMap((shard) => [...shard.pks])),
    oldestDueAtMs: Number.isFinite(oldestDueAtMs) ? oldestDueAtMs : null,
  };
}

/** Partitions by the world that they belong to. */
export function byWorld(pks: readonly string[]): Map<string, Set<string>> {
  const groups = Map.groupBy(pks, worldIdOfPk);
  return new Map([...groups].map(([worldId, its]) => [worldId, new Set(its)]));
}

/** The first jobs of a partition: at least `limit` of them, or all. */
async function queryJobs(pk: string, until: string, limit: number, whose: Whose): Promise<StoredItem[]> {
  const query = queryOf(pk, ['sk <= :sk', until], whose === 'merchant' ? MERCHANTS : undefined);
  const found: StoredItem[] = [];
  for await (const page of queryPages({ ...query, Limit: limit })) {
    found.push(...(page.Items ?? []));
    if (found.length >= limit) {
      break;
    }
  }
  return found;
}

/** Reads one shard of the due index, earliest first. Its sort key is `<real due>#<scope>`. */
async function queryDue(pk: DuePk, until: string) {
  const pks = new Set<string>();
  let oldestDueAtMs = Number.POSITIVE_INFINITY;
  let pages = 0;
  for await (const entries of indexPages({ index: 'due', pk, where: ['<=', until] })) {
    for (const entry of entries) {
      pks.add(entry.pk);
      if (!isQueue(entry.pk)) {
        oldestDueAtMs = Math.min(oldestDueAtMs, Number.parseInt(entry.indexSk, 10));
      }
    }
    pages += 1;
    if (pages === DUE_PAGES_PER_SHARD) {
      break;
    }
  }
  return { pks, oldestDueAtMs };
}
