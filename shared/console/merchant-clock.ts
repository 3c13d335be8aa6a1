export type MerchantClock = ReturnType<typeof createMerchantClock>;

/** The merchant's clock, which may be ahead of this machine's. */
export function createMerchantClock() {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const today = () => now().toISOString().slice(0, 10);

  /** A time of this clock in UTC, with the day only if it is not the current one. */
  function shortTime(timestamp: string): string {
    const time = timestamp.slice(11, 19);
    return timestamp.startsWith(today()) ? time : `${timestamp.slice(5, 10)} ${time.slice(0, 5)}`;
  }

  /** @param timestamp the clock's time as the service reported it */
  function set(timestamp: string): void {
    aheadMs = Date.parse(timestamp) - Date.now();
  }

  return { set, now, today, shortTime };
}
