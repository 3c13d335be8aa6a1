import * as v from 'valibot';
import type { ApiKey } from '../domain/api-key.ts';
import { MODES, shownWorldId, type World } from '../domain/world.ts';
import { idResponse, timestamp } from './fields.ts';
import { type Operation, READ } from './operation.ts';
import { PERMISSIONS } from './permissions.ts';
import { optionalTimestamp } from './view-fields.ts';

const keyResponse = v.object({
  id: idResponse('key'),
  label: v.nullable(v.string()),
  mode: v.picklist(MODES),
  merchant: v.string(),
  merchant_name: v.nullable(v.string()),
  permissions: v.array(v.picklist(PERMISSIONS)),
  expires_at: v.nullable(timestamp),
  world: v.string(),
});

export const keyOperations = {
  getKey: {
    ...READ,
    id: 'keys.GetKey',
    path: '/api/v1/key',
    permission: 'any',
    success: { status: 200, name: 'Key', schema: keyResponse },
  },
} as const satisfies Record<string, Operation>;

/** A key without its secret and without its allowed networks. */
export function viewKey(
  { id, label, mode, merchant, permissions, expiresAtMs }: ApiKey,
  world: Pick<World, 'id' | 'displayName' | 'created'>,
): v.InferInput<typeof keyResponse> {
  return {
    id,
    label,
    mode,
    merchant,
    merchant_name: world.displayName ?? null,
    permissions: PERMISSIONS.filter((permission) => permissions.includes(permission)),
    expires_at: optionalTimestamp(earlier(expiresAtMs, world.created?.expiresAtMs)),
    world: shownWorldId(world),
  };
}

/** A world may end earlier than its key. */
function earlier(keyEndsAtMs: number | null, worldEndsAtMs: number | undefined): number | null {
  const ends = [keyEndsAtMs ?? Infinity, worldEndsAtMs ?? Infinity];
  return ends.every((end) => end === Infinity) ? null : Math.min(...ends);
}
