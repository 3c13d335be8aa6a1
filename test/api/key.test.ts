import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { clientOf } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';

describe('the key of a request', () => {
  test.each(['test', 'live'] as const)('in %s mode shows its permissions and its world', async (mode) => {
    const permissions = PRESETS.merchant.toReversed();
    const { secret, id, merchant } = await newKey({ mode, permissions, label: 'checkout server' });
    const { status, json } = await clientOf(secret)(operations.getKey);
    expect([status, json]).toEqual([
      200,
      {
        id,
        label: 'checkout server',
        mode,
        merchant,
        merchant_name: null,
        permissions: PRESETS.merchant,
        expires_at: null,
        world: worldIdOf(merchant, mode),
      },
    ]);
  });

  test('needs no permission, and shows when it ends', async () => {
    const expiresAtMs = Date.now() + 60_000;
    const { secret } = await newKey({ permissions: [], label: null, expiresAtMs });
    expect((await clientOf(secret)(operations.getKey)).json).toMatchObject({
      permissions: [],
      label: null,
      expires_at: new Date(expiresAtMs).toISOString(),
    });
  });
});
