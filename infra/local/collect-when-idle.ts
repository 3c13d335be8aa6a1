import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 2_000;
/** The share of time in which a thread does something. */
const BUSY = 0.2;
const IDLE = 0.05;

/**
 * Gives memory back to the system when this thread rests after it was busy: V8 itself collects while it allocates, and
 * keeps what it took for the busiest moment.
 */
export function collectWhenIdle(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let before = performance.eventLoopUtilization();
  let wasBusy = true;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > BUSY) {
      wasBusy = true;
    } else if (wasBusy && utilization < IDLE) {
      wasBusy = false;
      collect();
    }
  }, LOOK_MS).unref();
}
