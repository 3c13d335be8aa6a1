/// <reference lib="dom" />
import type { Gate } from './gate.ts';

interface PollingParts {
  readonly gate: Pick<Gate, 'isOpen'>;
  readonly pauseButton: HTMLElement;
  /**
   * Reads from the service and shows the result.
   * @param isStale whether the data has changed since the request, so that it is read again at once
   * @returns false if the service asks to slow down
   */
  readonly look: (isStale: () => boolean) => Promise<boolean>;
}

/** Reads from the service every few seconds, while the page is visible. */
export function createPolling({ gate, pauseButton, look }: PollingParts) {
  const POLL_MS = 4_000;
  const POLL_MAX_MS = 60_000;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = POLL_MS;
  let isPaused = false;
  let isAsking = false;
  let isStale = false;

  /** Reads at once, and then repeatedly. A second call restarts this. */
  function refresh(): void {
    clearTimeout(timer);
    isStale = isAsking;
    timer = setTimeout(ask, 0);
  }

  async function ask(): Promise<void> {
    if (!gate.isOpen() || document.visibilityState === 'hidden' || isAsking) {
      return;
    }
    isAsking = true;
    isStale = false;
    try {
      const isWell = await look(() => isStale);
      pauseMs = isWell ? POLL_MS : Math.min(2 * pauseMs, POLL_MAX_MS);
    } catch {
      // No response, or the key was removed: the pause grows, and a closed gate ends the polling.
      pauseMs = Math.min(2 * pauseMs, POLL_MAX_MS);
    } finally {
      isAsking = false;
    }
    if (isStale) {
      refresh();
    } else if (gate.isOpen() && !isPaused) {
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
