import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey } from '../../domain/api-key.ts';
import { isSink } from '../../domain/endpoint.ts';
import { derivedId } from '../../domain/id.ts';
import { newFork, type TestWorld } from '../../domain/testkit/created-world.ts';
import { hasEnded, type World } from '../../domain/world.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { commit, writeOne } from '../../store/commit.ts';
import { readEndpoints } from '../../store/endpoint.ts';
import { put } from '../../store/item.ts';
import { worldKey } from '../../store/keys.ts';
import { Leases } from '../../store/scheduler/lease.ts';
import { nextRunItem } from '../../store/scheduler/next-run.ts';
import { findCreatedWorld, insertCreatedWorld, readWorldSlots } from '../../store/testkit/created-worlds.ts';
import { copyContent, giveUpFork, openFork, readState, takeState } from '../../store/testkit/fork.ts';
import { deleteSomeOf } from '../../store/testkit/purge.ts';
import { findWorld, getWorld, type StoredWorld } from '../../store/world.ts';
import type { CreateWorldInput } from './create-world.ts';

/** How many times a world is decided when its slot is taken meanwhile. */
const DECISIONS_MAX = 20;
/** So many resources are copied within the request; more by a runner, in the background. */
export const COPIED_AT_ONCE_MAX = 5_000;
/** How long after a runner has died another one may copy. */
const LEASE_MS = 10_000;
/** How long the copy of a world that keeps changing is tried, in real time. */
const TRIED_MS = 15_000;
const PAUSE_MS = 50;
const DELETED_AT_ONCE = 1_000;

type ForkInput = Omit<CreateWorldInput, 'profile' | 'startsAtMs'>;

/**
 * Creates a world with the content, the ids and the clock of another one of the same merchant, and a key of its own.
 * A large one gets its content in the background: until then, requests with its key are refused.
 * @throws Problem `world_limit_reached`, `clock_busy`; `temporarily_unavailable` where the source keeps changing
 */
export async function forkWorld(creator: World, source: World, input: ForkInput) {
  const { atMs, secret } = await input.claim();
  const fork = await openOnce(creator, source, input, derivedId('wld', atMs, secret));
  const size = Object.values(source.counts).reduce((sum, count) => sum + count, 0);
  if (size > COPIED_AT_ONCE_MAX) {
    await commit([put(nextRunItem(fork, Date.now()))]);
  } else {
    const progress = await continueFork(fork, Date.now() + TRIED_MS);
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

/**
 * Gives a fork the content of its source, unless another runner does that now. It starts anew where the source has
 * changed meanwhile, so that what it copies is one state of it. Every step can be repeated.
 */
export async function continueFork(fork: StoredWorld, deadlineMs: number): Promise<ForkProgress> {
  const key = worldKey(fork.id);
  const leases = new Leases(LEASE_MS);
  try {
    while (Date.now() < deadlineMs) {
      const current = await getWorld(fork.id);
      if (!isFork(current)) {
        return hasEnded(current, Date.now()) ? 'gone' : 'whole';
      }
      if (!(await leases.take(key, { mustExist: true }))) {
        return 'pending';
      }
      const requireGoing = async () => {
        if (!(await leases.isHeld(key))) {
          throw new Problem('temporarily_unavailable');
        }
      };
      const progress = await copyOnce(current, leases, requireGoing);
      if (progress !== 'pending') {
        return progress;
      }
      await sleep(PAUSE_MS);
    }
    return 'pending';
  } finally {
    await leases.release(key);
    leases.close();
  }
}

type Fork = StoredWorld & TestWorld & { readonly forkSource: NonNullable<StoredWorld['forkSource']> };

/** `pending`: the source is changing, or another runner copies. `gone`: the source, or the fork, has ended. */
type ForkProgress = 'whole' | 'pending' | 'gone';

async function copyOnce(
  fork: Fork,
  leases: Leases,
  requireGoing: () => Promise<void>,
): Promise<ForkProgress> {
  const source = await findWorld(fork.forkSource.id);
  if (source === null || source.epoch !== fork.forkSource.epoch || hasEnded(source, Date.now())) {
    await writeOne(giveUpFork(fork, Date.now()));
    return 'gone';
  }
  const before = await readState(source);
  if (
    before === null ||
    source.movedToMs !== null ||
    !(await writeOne(takeState(fork, source, leases.lease)))
  ) {
    return 'pending';
  }
  try {
    if (fork.forkSource.isTried) {
      await deleteContent(fork, source);
    }
    await copyContent(source, fork, requireGoing);
  } catch (error) {
    if (isProblem(error, 'seed_in_progress', 'temporarily_unavailable')) {
      return 'pending';
    }
    throw error;
  }
  if ((await readState(await getWorld(source.id))) !== before) {
    return 'pending';
  }
  const sinks = new Set((await readEndpoints(fork)).filter(isSink).map(({ id }) => id));
  const backlogged = new Set([...source.backloggedEndpoints].filter((id) => sinks.has(id)));
  // A runner looks at once: the jobs have the due times of the clock as it was when they were queued.
  const opened = await commit([
    openFork(fork, backlogged, leases.lease),
    put(nextRunItem({ ...fork, clockOffsetMs: source.clockOffsetMs }, Date.now())),
  ]);
  return opened.kind === 'committed' ? 'whole' : 'pending';
}

/** Deletes what an earlier try has copied. */
async function deleteContent(fork: World, source: StoredWorld): Promise<void> {
  const endpointIds = (await readEndpoints(source)).map(({ id }) => id);
  const { counts, eventBlock } = source;
  const purge = { actionId: '', epoch: fork.epoch, counts, eventBlock, resetAtMs: 0 };
  while ((await deleteSomeOf(fork, { purge, endpointIds }, DELETED_AT_ONCE)) > 0) {
    // More may be left.
  }
}

function isFork(world: StoredWorld): world is Fork {
  return world.forkSource !== null && world.created !== undefined;
}
