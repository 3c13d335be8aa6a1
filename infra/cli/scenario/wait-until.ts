import { setTimeout as sleep } from 'node:timers/promises';

/** How long what happens in the background is waited for, in real time. */
const PATIENCE_MS = 3_000;
const FIRST_PAUSE_MS = 20;

/**
 * Looks again and again until there is nothing to object to, or patience ends.
 * @returns null, or the last objection
 */
export async function waitUntil<Objection>(
  look: () => Promise<Objection | null>,
  patienceMs = PATIENCE_MS,
): Promise<Objection | null> {
  const endsAt = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    const objection = await look();
    const leftMs = endsAt - performance.now();
    if (objection === null || leftMs <= 0) {
      return objection;
    }
    await sleep(Math.min(pauseMs, leftMs));
  }
}
