import { expect, test } from 'vitest';
import { ScenarioPlayer } from '../../../infra/scenario/scenario-player.ts';
import type { Client } from '../../../shared/client/client.ts';

test('a scenario that is canceled ends at its next step, which it does not play', async () => {
  const scenario = { name: 'canceled', steps: [{ advance: '1s' }] };
  const world = {
    // Any call of it would fail in another way.
    client: {} as Client,
    key: 'pg_test_1',
    sinks: new Map(),
    eventTimeoutMs: undefined,
    signal: AbortSignal.abort(new Error('canceled by the host')),
    runDue: async () => undefined,
    end: async () => undefined,
  };
  const player = new ScenarioPlayer(scenario, world, 1, () => 0);
  await expect(player.play()).rejects.toThrow('canceled by the host');
});
