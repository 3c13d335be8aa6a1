export type MerchantClock = ReturnType<typeof createMerchantClock>;

/** The merchant's clock, which may be ahead of this machine's. */
export function createMerchantClock() {
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const today = () => now().toISOString().slice(0, 10);

  /** A time on it in UTC: the day only where it is another one. */
  function shortTime(timestamp: string): string {
    const time = timestamp.slice(11, 19);
    return timestamp.startsWith(today()) ? time : `${timestamp.slice(5, 10)} ${time.slice(0, 5)}`;
  }

  /** @param timestamp what the service has said that it shows */
  function set(timestamp: string): void {
    aheadMs = Date.parse(timestamp) - Date.now();
  }

  return { set, now, today, shortTime };
}
