import * as v from 'valibot';
import { toTimestamp } from '../../domain/clock.ts';
import {
  type TestWorld,
  TTL_MINUTES_DEFAULT,
  TTL_MINUTES_MAX,
  TTL_MINUTES_MIN,
  WORLD_NAME_MAX_CHARS,
} from '../../domain/testkit/created-world.ts';
import { worldNow } from '../../domain/world.ts';
import { component, idResponse, instant, integer, text, timestamp } from '../fields.ts';
import { pageOf } from '../list-page.ts';
import { LONG_FUNCTION_TIMEOUT_SECONDS, type Operation, READ, WRITE } from '../operation.ts';
import { PERMISSIONS } from '../permissions.ts';
import { READING } from '../views.ts';
import { clockReading, viewClockReading } from './clock.ts';
import { seedProfile } from './seeding.ts';

const worldFields = {
  id: idResponse('wld'),
  name: v.string(),
  expires_at: timestamp,
  clock: component('ClockReading', v.object(clockReading)),
};
const worldResponse = v.object(worldFields);
const createdResponse = v.object({ ...worldFields, key: v.string() });
const deletedResponse = v.object({ id: idResponse('wld'), deleted: v.literal(true) });
type WorldView = v.InferInput<typeof worldResponse>;

const worldInput = {
  name: v.optional(text(1, WORLD_NAME_MAX_CHARS)),
  ttl_minutes: v.optional(integer(TTL_MINUTES_MIN, TTL_MINUTES_MAX), TTL_MINUTES_DEFAULT),
  starts_at: v.optional(instant),
};

/** What reads the content of a world: the key of a fork may read all of it, events and what the test kit shows too. */
const SHOWN_BY_FORK = PERMISSIONS.filter((permission) =>
  [...Object.values(READING), 'event.read', 'simulate'].includes(permission),
);

const MANAGE = { ...WRITE, permission: 'world.create', mode: 'test' } as const;
const LOOK = { ...READ, permission: 'world.create', mode: 'test' } as const;

export const worldOperations = {
  createTestWorld: {
    ...MANAGE,
    id: 'testkit.CreateTestWorld',
    path: '/api/v1/test/worlds',
    reads: ['world-slots', 'created-world', 'endpoints'],
    changes: ['world', 'world-key', 'seed', 'seed-end'],
    timeoutSeconds: LONG_FUNCTION_TIMEOUT_SECONDS,
    body: v.strictObject({ ...worldInput, profile: v.optional(seedProfile) }),
    success: { status: 201, name: 'TestWorldWithKey', schema: createdResponse },
    errors: ['world_limit_reached'],
    example: { name: 'checkout tests', ttl_minutes: 30 },
  },
  forkTestWorld: {
    ...MANAGE,
    id: 'testkit.ForkTestWorld',
    path: '/api/v1/test/worlds/{id}/fork',
    reads: ['world-slots', 'created-world'],
    changes: ['world', 'world-key', 'fork'],
    alsoRequires: SHOWN_BY_FORK,
    timeoutSeconds: LONG_FUNCTION_TIMEOUT_SECONDS,
    body: v.strictObject({ name: worldInput.name, ttl_minutes: worldInput.ttl_minutes }),
    success: { status: 201, name: 'TestWorldWithKey', schema: createdResponse },
    errors: ['world_not_found', 'world_limit_reached', 'clock_busy'],
    example: { name: 'before the refund', ttl_minutes: 30 },
  },
  listTestWorlds: {
    ...LOOK,
    id: 'testkit.ListTestWorlds',
    path: '/api/v1/test/worlds',
    reads: ['created-worlds'],
    success: { status: 200, name: 'TestWorldPage', schema: pageOf(component('TestWorld', worldResponse)) },
  },
  getTestWorld: {
    ...LOOK,
    id: 'testkit.GetTestWorld',
    path: '/api/v1/test/worlds/{id}',
    reads: ['created-world'],
    success: { status: 200, name: 'TestWorld', schema: worldResponse },
    errors: ['world_not_found'],
  },
  deleteTestWorld: {
    ...MANAGE,
    id: 'testkit.DeleteTestWorld',
    method: 'DELETE',
    path: '/api/v1/test/worlds/{id}',
    reads: ['created-world', 'created-worlds'],
    changes: ['world-end'],
    body: v.strictObject({}),
    success: { status: 200, name: 'DeletedTestWorld', schema: deletedResponse },
    errors: ['world_not_found'],
    example: {},
  },
} as const satisfies Record<string, Operation>;

export function viewWorld(world: TestWorld, realNowMs: number): WorldView {
  const { id, name, expiresAtMs } = world.created;
  return {
    id,
    name,
    expires_at: toTimestamp(expiresAtMs),
    clock: viewClockReading(world, worldNow(world, realNowMs)),
  };
}
