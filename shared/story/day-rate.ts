import { DAY_MS } from '../domain/clock.ts';
import { deliveryTexts } from './delivery-texts.ts';
import type { RowOf } from './operation-id.ts';
import { createReadPlan } from './read-plan.ts';
import type { BodyReader } from './read-request.ts';
import { readOf } from './read-request.ts';

type EndpointAttemptRow = RowOf<'webhooks.ListEndpointDeliveries'>;

/** How many attempts of a day succeeded. */
export interface DayRate {
  readonly delivered: number;
  readonly failed: number;
}

/** The attempts of the last 24 hours. @param now on the merchant's clock, as the times of the attempts are */
export function dayRateOf(
  attempts: readonly Pick<EndpointAttemptRow, 'attempted_at' | 'status'>[],
  now: Date,
): DayRate {
  const ofDay = attempts.filter(({ attempted_at: at }) => at >= dayBefore(now));
  const delivered = ofDay.filter(({ status }) => status === 'delivered').length;
  return { delivered, failed: ofDay.length - delivered };
}

/** `48 of 50 in 24 h (96 %)`; null where nothing was sent. */
export function dayRateText({ delivered, failed }: DayRate): string | null {
  const count = delivered + failed;
  return count === 0 ? null : deliveryTexts.dayRate(delivered, count, Math.floor((delivered / count) * 100));
}

/** The rate of an endpoint, and what is to be read for it: its log, back to a day ago or to the limit of a plan. */
export function planDayRate(id: string, now: Date, bodyOf: BodyReader) {
  const { requests, pages } = createReadPlan(bodyOf);
  const isOlder = (rows: readonly EndpointAttemptRow[]) => (rows.at(-1)?.attempted_at ?? '') < dayBefore(now);
  const log = pages(readOf('webhooks.ListEndpointDeliveries', { params: { id } }, 'calm'), isOlder);
  return { requests, rate: dayRateOf(log.rows, now), isWhole: log.isWhole || isOlder(log.rows) };
}

function dayBefore(now: Date): string {
  return new Date(now.getTime() - DAY_MS).toISOString();
}
