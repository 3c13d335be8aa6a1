import { SECOND_MS } from '../domain/clock.ts';
import {
  type PaymentLink,
  reservedUntilMs,
  type Unavailability,
  unavailabilityOf,
} from '../domain/payment-link.ts';
import { Problem } from '../errors/problem.ts';
import { find } from '../store/table/entity.ts';
import type { Moment } from '../store/worlds/world.ts';

/** Why a link takes no payment. */
export interface LinkEnd {
  readonly reason: Unavailability;
  /** When to come back, on the merchant's clock, and in how many seconds: where its uses are only reserved. */
  readonly again: { readonly atMs: number; readonly inSeconds: number } | null;
}

/** Why a link takes no payment now, and when a payer can come back; null where it takes one. */
export async function findLinkEnd({ world, nowMs }: Moment, link: PaymentLink): Promise<LinkEnd | null> {
  const reason = unavailabilityOf(link, nowMs);
  if (reason !== 'reserved') {
    return reason && { reason, again: null };
  }
  const { heldBy } = link;
  const holder = heldBy === null ? null : await find('payment', world, heldBy);
  const atMs = reservedUntilMs(holder, nowMs);
  return { reason, again: { atMs, inSeconds: Math.ceil((atMs - nowMs) / SECOND_MS) } };
}

/** What a program gets instead of the page that says why. */
export function linkUnavailable({ reason, again }: LinkEnd): Problem {
  const headers = again && { 'Retry-After': String(again.inSeconds) };
  return new Problem('link_unavailable', { details: { reason }, ...(headers && { headers }) });
}
