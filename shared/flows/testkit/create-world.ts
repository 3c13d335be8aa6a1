import type { ApiKeyInput } from '../../domain/api-key.ts';
import { newApiKey } from '../../domain/api-key.ts';
import { derivedId, newId } from '../../domain/id.ts';
import type { RequestClaim } from '../../domain/request-start.ts';
import type { TestKitChange } from '../../domain/testkit/change.ts';
import {
  type CreatedWorldInput,
  newCreatedWorld,
  type TestWorld,
} from '../../domain/testkit/created-world.ts';
import type { SeedProfile } from '../../domain/testkit/seed-script.ts';
import type { World } from '../../domain/world.ts';
import { Problem } from '../../errors/problem.ts';
import { commit, writeOne } from '../../store/table/commit.ts';
import { findCreatedWorld, insertCreatedWorld, readWorldSlots } from '../../store/testkit/created-worlds.ts';
import { endSeed } from '../../store/testkit/seed-record.ts';
import { seedWorld } from './seed.ts';

/** How many times a world is decided when its slot is taken meanwhile. */
const DECISIONS_MAX = 20;

export interface CreateWorldInput extends CreatedWorldInput {
  readonly profile: SeedProfile | null;
  /** What its key may do, and from where. */
  readonly key: Pick<ApiKeyInput, 'permissions' | 'version' | 'networks'>;
  readonly baseUrl: string;
  readonly idempotencyKey: string;
  readonly claim: RequestClaim;
}

/**
 * Creates a world beside that of the caller, with a key of its own: one transaction if it is empty. A world with sample
 * data has no key before all of them are there; it ends like any other if its request never gets that far.
 * @throws Problem `world_limit_reached`, `validation_failed`
 */
export async function createWorld(creator: World, input: CreateWorldInput) {
  const { profile } = input;
  const world =
    profile === null
      ? await newWorld(creator, input, newId('wld', Date.now()))
      : await openSeeded(creator, input, profile);
  const { merchant, mode, created } = world;
  const owner = { ...input.key, merchant, mode, label: created.name, expiresAtMs: created.expiresAtMs };
  const issued = newApiKey(owner, world.id, Date.now());
  const changes: TestKitChange[] = [
    ...(profile === null ? [{ kind: 'world', created: world } as const] : []),
    { kind: 'world-key', created: world, ...issued },
  ];
  return { world, secret: issued.secret, changes };
}

async function newWorld(creator: World, input: CreateWorldInput, id: string): Promise<TestWorld> {
  const slots = await readWorldSlots(creator.merchant);
  return newCreatedWorld(creator, id, input, slots, Date.now(), input.idempotencyKey);
}

/** A world with sample data: a retry of the request finds it, and goes on. */
async function openSeeded(creator: World, input: CreateWorldInput, profile: SeedProfile): Promise<TestWorld> {
  const { atMs, secret } = await input.claim.stands();
  const world = await openOnce(creator, input, derivedId('wld', atMs, secret));
  const { changes } = await seedWorld(world, {
    ...input,
    profile,
    firstStep: async (writes) => (await commit(writes)).kind === 'committed',
  });
  for (const { record, report } of changes) {
    // A conflict means that another run of this request has ended it.
    await writeOne(endSeed(world, record, report));
  }
  return world;
}

async function openOnce(creator: World, input: CreateWorldInput, id: string): Promise<TestWorld> {
  for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
    const found = await findCreatedWorld(id);
    if (found !== null) {
      return found;
    }
    const world = await newWorld(creator, input, id);
    if ((await commit(insertCreatedWorld(world))).kind === 'committed') {
      return world;
    }
  }
  throw new Problem('temporarily_unavailable');
}
