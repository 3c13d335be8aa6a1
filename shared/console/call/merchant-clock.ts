export type MerchantClock = ReturnType<typeof createMerchantClock>;

/** The merchant's clock, which may be ahead of this machine's. */
export function createMerchantClock() {
  let aheadMs = 0;

  /** @param timestamp the clock's time as the service reported it */
  function set(timestamp: string): void {
    aheadMs = Date.parse(timestamp) - Date.now();
  }

  return { set, now: () => new Date(Date.now() + aheadMs) };
}
