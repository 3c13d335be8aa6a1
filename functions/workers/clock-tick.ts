import { type Due, RECEIVER_DUE, WORLD_DUE } from '../../shared/contract/bus.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { announceDueWork } from '../../shared/flows/jobs/announce-due-work.ts';
import { serveWorker } from '../../shared/http/serve-worker.ts';
import { type DueWork, findDueWork } from '../../shared/store/scheduler/due.ts';
import { isQueue } from '../../shared/store/table/keys.ts';
import { log } from '../../shared/telemetry/log.ts';
import { report } from '../../shared/telemetry/report.ts';

/** Live worlds first: no amount of work of test worlds delays them. */
const MODES = ['live', 'test'] as const;

/** Runs every minute: finds due work, and puts an event on the bus for each world and each endpoint that has some. */
export const handler = serveWorker('clock-tick', async () => {
  const nowMs = Date.now();
  const found = await Promise.all(MODES.map(async (mode) => ({ mode, ...(await findDueWork(mode, nowMs)) })));
  const oldestDueAtMs = Math.min(nowMs, ...found.flatMap((work) => work.oldestDueAtMs ?? []));
  const due = found.map(({ mode, pks }) => ({ mode, ...split(pks) }));
  const DueWorlds = found.reduce((sum, { pks }) => sum + pks.size, 0);
  // Before the calls to the bus, so that the metric of late jobs is reported even if they fail.
  report({ OldestDueJobAge: (nowMs - oldestDueAtMs) / SECOND_MS, DueWorlds });
  for (const { mode, worlds, receivers } of due) {
    await Promise.all([
      announceDueWork(WORLD_DUE[mode], worlds),
      announceDueWork(RECEIVER_DUE[mode], receivers),
    ]);
  }
  const countOf = (what: 'worlds' | 'receivers') => due.reduce((sum, one) => sum + one[what].length, 0);
  log.info('tick', { worlds: countOf('worlds'), receivers: countOf('receivers') });
});

/** An event for each world, and for each queue of an endpoint. */
function split(pks: DueWork['pks']): { readonly worlds: readonly Due[]; readonly receivers: readonly Due[] } {
  const all = [...pks].map(([worldId, its]) => ({ worldId, ...Object.groupBy(its, groupOf) }));
  return {
    worlds: all.flatMap(({ worldId, others }) => (others === undefined ? [] : [{ worldId, pks: others }])),
    receivers: all.flatMap(({ worldId, queues = [] }) => queues.map((pk) => ({ worldId, pks: [pk] }))),
  };
}

function groupOf(pk: string): 'queues' | 'others' {
  return isQueue(pk) ? 'queues' : 'others';
}
