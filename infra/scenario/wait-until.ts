import { setTimeout as sleep } from 'node:timers/promises';

/** How long what happens in the background is waited for, in real time. */
const PATIENCE_MS = 3_000;
const FIRST_PAUSE_MS = 20;
const PAUSE_MAX_MS = 1_000;

/**
 * Looks until there is nothing to object to, or patience ends.
 * @returns null, or the last objection
 */
export async function waitUntil<Objection>(
  look: () => Promise<Objection | null>,
  patienceMs = PATIENCE_MS,
): Promise<Objection | null> {
  const endsAt = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    const objection = await look();
    const leftMs = endsAt - performance.now();
    if (objection === null || leftMs <= 0) {
      return objection;
    }
    await sleep(Math.min(pauseMs, leftMs));
  }
}
