import { type Due, RECEIVER_DUE, WORLD_DUE } from '../../shared/contract/bus.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { emitDueWork } from '../../shared/flows/jobs/emit-due-work.ts';
import { serveWorker } from '../../shared/http/serve-worker.ts';
import { isQueue } from '../../shared/store/keys.ts';
import { findDueWork } from '../../shared/store/scheduler/due.ts';
import { log } from '../../shared/telemetry/log.ts';
import { report } from '../../shared/telemetry/report.ts';

/** Runs every minute: finds due work, and puts an event on the bus for each world and each endpoint that has some. */
export const handler = serveWorker('clock-tick', async () => {
  const nowMs = Date.now();
  const { pks, oldestDueAtMs } = await findDueWork(nowMs);
  // Before the calls to the bus, so that the metric of late jobs is reported even if they fail.
  report({ OldestDueJobAge: (nowMs - (oldestDueAtMs ?? nowMs)) / SECOND_MS, DueWorlds: pks.size });
  const worlds: Due[] = [];
  const receivers: Due[] = [];
  for (const [worldId, its] of pks) {
    const others = [...its].filter((pk) => !isQueue(pk));
    worlds.push(...(others.length === 0 ? [] : [{ worldId, pks: others }]));
    receivers.push(...[...its].filter(isQueue).map((pk) => ({ worldId, pks: [pk] })));
  }
  await emitDueWork(WORLD_DUE, worlds);
  await emitDueWork(RECEIVER_DUE, receivers);
  log.info('tick', { worlds: worlds.length, receivers: receivers.length });
});
