import { DAY_MS, SECOND_MS } from './clock.ts';

/** How long events can be read, in days of real time: 13 months. */
export const EVENT_KEPT_DAYS = 396;
/** How long the log of deliveries can be read, in days of real time. */
export const DELIVERY_KEPT_DAYS = 90;
/** How long the log of requests can be read, in days of real time (contract §18). */
export const REQUEST_KEPT_DAYS = 7;
/** How long a provider's notification is stored that matches no payment or refund, in days of real time. */
export const NOTIFICATION_KEPT_DAYS = 90;

/** When an item that is written now is no longer shown and may be deleted, in epoch seconds. */
export function endOfKeeping(days: number, realNowMs: number): number {
  return Math.floor((realNowMs + days * DAY_MS) / SECOND_MS);
}
