import { mapLimit } from '../../concurrency/map-limit.ts';
import { newId } from '../../domain/id.ts';
import { perResource } from '../../domain/resource.ts';
import { randomBase62, sha256Hex } from '../../domain/secret.ts';
import type { TestKitChange } from '../../domain/testkit/change.ts';
import {
  runSeedScript,
  type Seed,
  type SeedCounts,
  type SeedRecord,
  type SeedReport,
} from '../../domain/testkit/seed.ts';
import type { SeedProfile } from '../../domain/testkit/seed-script.ts';
import { freeSinkSlot } from '../../domain/testkit/sink.ts';
import { type World, worldNow } from '../../domain/world.ts';
import { Problem } from '../../errors/problem.ts';
import { simulatedAction } from '../../providers/simulated/simulated-provider.ts';
import { readEndpoints, writeEndpoint } from '../../store/events/endpoint.ts';
import type { SteppedClaim } from '../../store/requests/claim.ts';
import { commit } from '../../store/table/commit.ts';
import { chunksOf, commitChunk } from '../../store/testkit/seed.ts';
import { beginSeed, findSeed, takeOverSeed } from '../../store/testkit/seed-record.ts';
import { writeSink } from '../../store/testkit/sinks.ts';
import { getWorld } from '../../store/worlds/world.ts';

/**
 * How long, in real time, a request holds the lease of a seeding. All chunks together take a second or two; if it takes
 * longer, two requests at work do no harm, since each write happens once.
 */
const LEASE_MS = 10_000;
const CHUNKS_AT_ONCE = 4;
/** How many times a step is decided when its commits conflict. */
const DECISIONS_MAX = 20;
/** 256 random bits, as many as a SHA-256 has. */
const SECRET_CHARS = 43;

type SeedEnd = Extract<TestKitChange, { readonly kind: 'seed-end' }>;

export interface SeedInput {
  readonly profile: SeedProfile;
  readonly baseUrl: string;
  readonly idempotencyKey: string;
  readonly firstStep: SteppedClaim['firstStep'];
}

/**
 * Puts a profile into a world, once. The record of the seeding holds the input of the seed, so that a request that
 * takes the seeding over makes the same items. The last write, which ends the seeding, is committed with the response.
 * @throws Problem `seed_in_progress` while another request seeds this profile
 */
export async function seedWorld(
  requested: World,
  input: SeedInput,
): Promise<{ report: SeedReport; changes: readonly SeedEnd[] }> {
  const { world, record } = await takeUp(requested, input);
  if (record.report !== null) {
    return { report: repeat(record.report), changes: [] };
  }
  const seed = runSeedScript(world, record, simulatedAction);
  await mapLimit(CHUNKS_AT_ONCE, chunksOf(world, seed), async (chunk) => {
    // Items that are written into an epoch after a purge ended it would never be deleted.
    await requireEpoch(world);
    await commitChunk(chunk);
  });
  const report = reportOf(record, seed, await addSinks(world, seed));
  return { report, changes: [{ kind: 'seed-end', record, report }] };
}

/** The record of the seeding: a new one, one that is taken over, or a finished one. */
async function takeUp(requested: World, input: SeedInput): Promise<{ world: World; record: SeedRecord }> {
  const owner = sha256Hex(input.idempotencyKey);
  for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
    const [world, found] = await Promise.all([requireEpoch(requested), findSeed(requested, input.profile)]);
    if (found !== null && found.report !== null) {
      return { world, record: found };
    }
    const realNowMs = Date.now();
    if (found !== null && found.owner !== owner && found.leaseEndsAtMs > realNowMs) {
      throw new Problem('seed_in_progress');
    }
    const lease = { owner, leaseEndsAtMs: realNowMs + LEASE_MS };
    const record = { ...(found ?? newRecord(world, input, realNowMs)), ...lease };
    const writes = found === null ? beginSeed(world, record) : takeOverSeed(world, found, record);
    if (await input.firstStep(writes, world)) {
      return { world, record };
    }
  }
  throw new Problem('temporarily_unavailable');
}

function newRecord(world: World, { profile, baseUrl }: SeedInput, realNowMs: number) {
  const seededAtMs = worldNow(world, realNowMs);
  return {
    profile,
    seededAtMs,
    baseUrl,
    secret: randomBase62(SECRET_CHARS),
    countsBefore: world.counts,
    actionId: newId('act', seededAtMs),
    report: null,
  };
}

/**
 * The current world.
 * @throws Problem `temporarily_unavailable` if it was purged since the request started
 */
async function requireEpoch({ id, epoch }: World): Promise<World> {
  const world = await getWorld(id);
  if (world.epoch !== epoch) {
    throw new Problem('temporarily_unavailable');
  }
  return world;
}

/** Puts each sink into a free slot. @returns the ids of all endpoints of the world */
async function addSinks(world: World, seed: Seed): Promise<ReadonlySet<string>> {
  for (const sink of seed.sinks) {
    await addSink(world, sink);
  }
  return new Set(seed.sinks.length === 0 ? [] : (await readEndpoints(world)).map(({ id }) => id));
}

async function addSink(world: World, { id, create }: Seed['sinks'][number]): Promise<void> {
  for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
    const others = await readEndpoints(world);
    if (freeSinkSlot(others) === null || others.some((other) => other.id === id)) {
      return;
    }
    const { endpoint, sink } = create(others);
    const outcome = await commit([
      writeEndpoint(world, { before: null, after: endpoint }),
      writeSink(world, { before: null, after: sink }),
    ]);
    if (outcome.kind === 'committed') {
      return;
    }
  }
  throw new Problem('temporarily_unavailable');
}

const NOTHING: SeedCounts = { made: perResource(() => 0), sinks: 0 };

function reportOf(record: SeedRecord, seed: Seed, added: ReadonlySet<string>): SeedReport {
  const sinks = seed.sinks.filter(({ id }) => added.has(id));
  return {
    actionId: record.actionId,
    alreadySeeded: false,
    profile: record.profile,
    created: { made: perResource((name) => seed.made[name].length), sinks: sinks.length },
    skipped: { ...NOTHING, sinks: seed.sinks.length - sinks.length },
    ids: { ...seed.ids, ...Object.fromEntries(sinks.map(({ name, id }) => [name, id])) },
    summary: seed.summary,
  };
}

/** The report for a finished seeding: nothing was created now, everything is skipped. */
function repeat(done: SeedReport): SeedReport {
  const { created, skipped } = done;
  const all = { ...created, sinks: created.sinks + skipped.sinks };
  return { ...done, alreadySeeded: true, created: NOTHING, skipped: all };
}
