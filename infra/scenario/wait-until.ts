import { setTimeout as sleep } from 'node:timers/promises';

/** How long what happens in the background is waited for, in real time. */
const PATIENCE_MS = 3_000;
const FIRST_PAUSE_MS = 20;
const PAUSE_MAX_MS = 1_000;

/**
 * Looks until there is nothing to object to, or patience ends.
 * @returns null, or the last objection
 */
export function waitUntil<Objection>(
  look: () => Promise<Objection | null>,
  patienceMs = PATIENCE_MS,
): Promise<Objection | null> {
  return waitWhileProgress(async () => ({ objection: await look(), reached: '' }), patienceMs, patienceMs);
}

/** What a look has found. */
export interface Look<Objection> {
  readonly objection: Objection | null;
  /** How far the work is, in any words: where they change, it goes on. */
  readonly reached: string;
}

/**
 * Looks until there is nothing to object to, nothing has changed for as long as patience lasts, or the limit is reached.
 * @returns null, or the last objection
 */
export async function waitWhileProgress<Objection>(
  look: () => Promise<Look<Objection>>,
  patienceMs: number,
  limitMs: number,
): Promise<Objection | null> {
  const limitAt = performance.now() + limitMs;
  let endsAt = 0;
  let last: string | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    const { objection, reached } = await look();
    if (reached !== last) {
      last = reached;
      endsAt = Math.min(performance.now() + patienceMs, limitAt);
    }
    const leftMs = endsAt - performance.now();
    if (objection === null || leftMs <= 0) {
      return objection;
    }
    await sleep(Math.min(pauseMs, leftMs));
  }
}
