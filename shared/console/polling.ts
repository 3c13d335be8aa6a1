/// <reference lib="dom" />
import type { Gate } from './gate.ts';

interface PollingParts {
  readonly gate: Pick<Gate, 'isOpen'>;
  readonly pauseButton: HTMLElement;
  /**
   * Asks the service and shows what it says.
   * @param isStale whether something has changed since it was asked, so that it is asked again at once
   * @returns false where the service asks to slow down
   */
  readonly look: (isStale: () => boolean) => Promise<boolean>;
}

/** Looks at the service again every few seconds, while somebody looks at the page. */
export function createPolling({ gate, pauseButton, look }: PollingParts) {
  const POLL_MS = 4_000;
  const POLL_MAX_MS = 60_000;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = POLL_MS;
  let isPaused = false;
  let isAsking = false;
  let isStale = false;

  /** Asks at once, and then again and again; a second call begins anew. */
  function refresh(): void {
    clearTimeout(timer);
    isStale = isAsking;
    timer = setTimeout(ask, 0);
  }

  async function ask(): Promise<void> {
    clearTimeout(timer);
    if (!gate.isOpen() || document.visibilityState === 'hidden' || isAsking) {
      return;
    }
    isAsking = true;
    isStale = false;
    try {
      const isWell = await look(() => isStale);
      pauseMs = isWell ? POLL_MS : Math.min(2 * pauseMs, POLL_MAX_MS);
    } catch {
      // No answer, or the key was taken away: the pause grows, and a closed gate ends it.
      pauseMs = Math.min(2 * pauseMs, POLL_MAX_MS);
    } finally {
      isAsking = false;
    }
    if (isStale) {
      refresh();
    } else if (gate.isOpen() && !isPaused) {
      clearTimeout(timer);
      timer = setTimeout(ask, pauseMs);
    }
  }

  function stop(): void {
    clearTimeout(timer);
    pauseMs = POLL_MS;
  }

  pauseButton.addEventListener('click', () => {
    isPaused = !isPaused;
    pauseButton.setAttribute('aria-pressed', String(isPaused));
    clearTimeout(timer);
    if (!isPaused) {
      refresh();
    }
  });
  document.addEventListener('visibilitychange', refresh);

  return { refresh, stop };
}
