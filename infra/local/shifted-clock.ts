/** Lets the clock of this thread run ahead: each thread has a clock of its own. */
export function shiftClock(aheadMs: number): void {
  const now = Date.now;
  Date.now = () => now() + aheadMs;
}
