import type { RunnerLimits } from '../../domain/run-counts.ts';
import { worldNow } from '../../domain/world.ts';
import { jobPks } from '../../store/table/keys.ts';
import { findWorld } from '../../store/worlds/world.ts';
import { runLiveDueJobs } from './runs.ts';

/**
 * Runs the due jobs of some partitions of a live world, which may call its provider. Another runner dispatches their
 * events, so no process both reads the secrets of a provider and posts to addresses that merchants choose.
 * @param pks partitions of jobs; others are ignored
 */
export async function wakeLiveWorld(
  worldId: string,
  pks: readonly string[],
  limits: RunnerLimits,
): Promise<void> {
  const deadlineMs = Date.now() + limits.timeMs;
  const world = await findWorld(worldId);
  if (world?.mode !== 'live') {
    return;
  }
  const due = jobPks(world).filter((pk) => pks.includes(pk));
  const untilMs = worldNow(world, Date.now());
  await runLiveDueJobs(world, { ...limits, jobPks: due, untilMs, deadlineMs });
}
