import { SMOKE_WORLD_ID } from '../../contract/smoke-world.ts';
import { VIEW } from '../../contract/views.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/clock.ts';
import { newId } from '../../domain/id.ts';
import { commit } from '../../store/table/commit.ts';
import { writesOf } from '../../store/writes.ts';
import { purgeWorld } from './purge.ts';

/** Some three smoke payments: each repeats what the one before may not have finished. */
const BEGINNING_MS = 15 * MINUTE_MS;

/**
 * Empties the world of smoke payments at the beginning of each day (UTC), so that it holds no more than one: a job
 * deletes what was there. It is a purge of the test kit, which production has no operation for. A deployment whose check
 * has a payment under way in that second fails, and can be repeated.
 */
export async function emptySmokeWorld(nowMs: number): Promise<void> {
  if (nowMs % DAY_MS >= BEGINNING_MS) {
    return;
  }
  const today = `smoke ${new Date(nowMs).toISOString().slice(0, 10)}`;
  const { world, changes } = await purgeWorld(
    SMOKE_WORLD_ID,
    today,
    async (writes) => (await commit(writes)).kind === 'committed',
  );
  // Refused where the job already waits.
  await commit(writesOf({ world, requestId: newId('req', nowMs) }, changes, VIEW));
}
