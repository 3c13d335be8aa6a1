import { SMOKE_WORLD_ID } from '../../contract/smoke-world.ts';
import type { InvokeVersion } from './version-call.ts';

/** An event for each worker that it may get at any time, and that finds little to do: an extra tick, an empty queue. */
const due = { detail: { worldId: SMOKE_WORLD_ID, pks: [] } };
const HARMLESS: Readonly<Record<string, object>> = {
  'clock-tick': {},
  'job-runner': due,
  'live-dispatcher': due,
  'live-job-runner': due,
  deliverer: { Records: [] },
  'live-deliverer': { Records: [] },
};

/** Starts the new version of each worker once. @throws Error where one fails */
export async function startWorkers(
  versions: ReadonlyMap<string, string>,
  invoke: InvokeVersion,
): Promise<void> {
  for (const [name, event] of Object.entries(HARMLESS)) {
    const version = versions.get(name);
    if (version !== undefined) {
      await invoke(version, event);
    }
  }
}
