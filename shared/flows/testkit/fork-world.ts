import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey } from '../../domain/api-key.ts';
import { isSink } from '../../domain/endpoint.ts';
import { derivedId, newId } from '../../domain/id.ts';
import { newFork, type TestWorld } from '../../domain/testkit/created-world.ts';
import { hasEnded, type World } from '../../domain/world.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { readEndpoints } from '../../store/events/endpoint.ts';
import { insertJob } from '../../store/scheduler/job.ts';
import { nextRunItem } from '../../store/scheduler/next-run.ts';
import { commit, writeOne } from '../../store/table/commit.ts';
import { put } from '../../store/table/item.ts';
import { findCreatedWorld, insertCreatedWorld, readWorldSlots } from '../../store/testkit/created-worlds.ts';
import {
  beginCopy,
  COPY_HELD_MS,
  copyContent,
  type Fork,
  giveUpFork,
  noteCopy,
  openFork,
  readState,
} from '../../store/testkit/fork.ts';
import { readRest } from '../../store/testkit/purge.ts';
import { findWorld, getWorld, NO_COPY, type StoredWorld } from '../../store/worlds/world.ts';
import type { CreateWorldInput } from './create-world.ts';
import { queueDeletions } from './queue-deletions.ts';

/** How many times a world is decided when its slot is taken meanwhile. */
const DECISIONS_MAX = 20;
/** So many resources are copied within the request; more by a runner, in the background. */
const COPIED_AT_ONCE_MAX = 5_000;
/** The epoch of a fork before its first copy. */
const FIRST_EPOCH = 1;
const RENEWED_AFTER_MS = COPY_HELD_MS / 4;
/** How long the copy of a world that keeps changing is tried, in real time. */
const TRIED_MS = 15_000;
const PAUSE_MS = 50;

type ForkInput = Omit<CreateWorldInput, 'profile' | 'startsAtMs'>;

/**
 * Creates a world with the content, the ids and the clock of another one of the same merchant, and a key of its own.
 * A large one gets its content in the background: until then, requests with its key are refused.
 * @throws Problem `world_limit_reached`, `clock_busy`; `temporarily_unavailable` where the source keeps changing
 */
export async function forkWorld(creator: World, source: World, input: ForkInput) {
  const { atMs, secret } = await input.claim.stands();
  const fork = await openOnce(creator, source, input, derivedId('wld', atMs, secret));
  const size = Object.values(source.counts).reduce((sum, count) => sum + count, 0);
  if (size > COPIED_AT_ONCE_MAX) {
    await commit([put(nextRunItem(fork, Date.now()))]);
  } else {
    // A runner may copy it already, as it does for a request that has crashed.
    const progress = await continueFork(fork, Date.now() + TRIED_MS, true);
    if (progress !== 'whole') {
      throw new Problem(progress === 'gone' ? 'world_not_found' : 'temporarily_unavailable');
    }
  }
  const { merchant, mode, created } = fork;
  const owner = { ...input.key, merchant, mode, label: created.name, expiresAtMs: created.expiresAtMs };
  const issued = newApiKey(owner, fork.id, Date.now());
  return {
    world: fork,
    secret: issued.secret,
    changes: [{ kind: 'world-key', created: fork, ...issued }] as const,
  };
}

/** A retry of the request finds the fork, and goes on. */
async function openOnce(
  creator: World,
  source: World,
  input: ForkInput,
  id: string,
): Promise<StoredWorld & TestWorld> {
  for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
    const found = await findCreatedWorld(id);
    if (found !== null) {
      return found;
    }
    const slots = await readWorldSlots(creator.merchant);
    const fork = newFork(creator, source, id, input, slots, Date.now(), input.idempotencyKey);
    await commit(insertCreatedWorld(fork, source));
  }
  throw new Problem('temporarily_unavailable');
}

/** `pending`: the source is changing, or another runner copies. `gone`: the source, or the fork, has ended. */
type ForkProgress = 'whole' | 'pending' | 'gone';

/**
 * Gives a fork the content of its source. It starts anew where the source has changed meanwhile, so that what it copies
 * is one state of it. Every step can be repeated.
 * @param waits whether it waits for another runner that copies now: otherwise it leaves the fork to that one
 */
export async function continueFork(
  world: StoredWorld,
  deadlineMs: number,
  waits = false,
): Promise<ForkProgress> {
  let copying: Fork | null = null;
  while (Date.now() < deadlineMs) {
    const fork = await getWorld(world.id);
    if (!isFork(fork)) {
      return hasEnded(fork, Date.now()) ? 'gone' : 'whole';
    }
    const isOthers = fork.epoch !== copying?.epoch && fork.forkSource.copiedAtMs + COPY_HELD_MS > Date.now();
    if (isOthers) {
      if (!waits) {
        return 'pending';
      }
      await sleep(PAUSE_MS);
      continue;
    }
    const source = await findWorld(fork.forkSource.id);
    if (source === null || source.epoch !== fork.forkSource.epoch || hasEnded(source, Date.now())) {
      await writeOne(giveUpFork(fork, Date.now()));
      return 'gone';
    }
    const state = source.movedToMs === null ? await readState(source) : null;
    if (state !== null) {
      const begun = await begin(fork, source);
      // If another runner has begun, the next look finds it.
      copying = begun ?? copying;
      if (begun !== null && (await isCopied(begun, source, state))) {
        return 'whole';
      }
    }
    await sleep(PAUSE_MS);
  }
  if (copying !== null) {
    await writeOne(noteCopy(copying, NO_COPY));
  }
  return 'pending';
}

/** @returns the fork in the epoch of the copy; null where another runner has begun one */
async function begin(fork: Fork, source: StoredWorld): Promise<Fork | null> {
  const begun = beginCopy(fork, source, Date.now());
  const deletions = fork.epoch === FIRST_EPOCH ? [] : await readDeletions(fork);
  const left = await queueDeletions(begun.fork, deletions);
  const jobs = left.map((job) => insertJob(begun.fork, job));
  return (await commit([...begun.writes, ...jobs])).kind === 'committed' ? begun.fork : null;
}

/** The jobs that delete what earlier copies have left, or still write. */
async function readDeletions(fork: Fork) {
  const { endpointIds, unfinished } = await readRest(fork);
  const { epoch, counts, eventBlock } = fork;
  const dueAtMs = Date.now();
  const purge = { actionId: newId('act', dueAtMs), epoch, counts, eventBlock, resetAtMs: dueAtMs };
  const own = { kind: 'delete-epoch', purge, endpointIds } as const;
  // All due now: those that an earlier try has queued for this copy are in the way of none then.
  return [own, ...unfinished].map((job) => ({ ...job, dueAtMs }));
}

/** @returns false where the source was changing, or another runner has begun a copy */
async function isCopied(fork: Fork, source: StoredWorld, state: string): Promise<boolean> {
  let renewedAtMs = Date.now();
  const requireGoing = async () => {
    if (Date.now() < renewedAtMs + RENEWED_AFTER_MS) {
      return;
    }
    renewedAtMs = Date.now();
    if (!(await writeOne(noteCopy(fork, renewedAtMs)))) {
      throw new Problem('temporarily_unavailable');
    }
  };
  try {
    await copyContent(source, fork, requireGoing);
  } catch (error) {
    if (isProblem(error, 'seed_in_progress', 'temporarily_unavailable')) {
      return false;
    }
    await writeOne(noteCopy(fork, NO_COPY)).catch(() => false);
    throw error;
  }
  if ((await readState(await getWorld(source.id))) !== state) {
    return false;
  }
  const sinks = new Set((await readEndpoints(fork)).filter(isSink).map(({ id }) => id));
  const backlogged = new Set([...source.backloggedEndpoints].filter((id) => sinks.has(id)));
  // A runner looks at once: the jobs have the due times of the clock as it was when they were queued.
  const opened = await commit([openFork(fork, backlogged), put(nextRunItem(fork, Date.now()))]);
  return opened.kind === 'committed';
}

function isFork(world: StoredWorld): world is Fork {
  return world.forkSource !== null && world.created !== undefined;
}
