import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { MINUTE_MS, SECOND_MS } from '../../domain/clock.ts';
import type { NotificationSubject, ProviderNotification, RawNotification } from '../provider.ts';
import { readJson } from './stripe-api.ts';

/** How far the time of a notification may differ from this service's clock (contract §15). */
const TOLERANCE_MS = 5 * MINUTE_MS;
const SECONDS = /^\d{1,11}$/;
const SHA256_HEX = /^[0-9a-f]{64}$/;

const event = v.object({
  id: v.string(),
  data: v.object({
    object: v.object({
      object: v.string(),
      id: v.optional(v.string()),
      created: v.optional(v.number()),
      metadata: v.nullish(v.record(v.string(), v.string())),
    }),
  }),
});

/** By the type of an event's object: the kind of resource, and the metadata field that holds our id. */
const SUBJECTS = new Map<string, { kind: NotificationSubject['kind']; ourId: string }>([
  ['payment_intent', { kind: 'payment', ourId: 'payment_id' }],
  ['refund', { kind: 'refund', ourId: 'refund_id' }],
]);

/**
 * The content of a webhook from Stripe; null where its signature is not Stripe's, is older than five minutes, or covers
 * something that is no event (https://docs.stripe.com/webhooks#verify-manually).
 */
export function parseStripeNotification(
  webhookSecret: string,
  { headers, body, nowMs }: RawNotification,
): ProviderNotification | null {
  if (!isSigned(webhookSecret, headers['stripe-signature'] ?? '', body, nowMs)) {
    return null;
  }
  const read = readJson(event, body);
  if (!read.success) {
    return null;
  }
  const { id, data } = read.output;
  const subject = SUBJECTS.get(data.object.object);
  const { id: reference, created, metadata } = data.object;
  if (subject === undefined || reference === undefined) {
    return { id, about: null };
  }
  const ourId = metadata?.[subject.ourId] ?? null;
  const made = created !== undefined && { madeAtMs: created * SECOND_MS };
  return { id, about: { kind: subject.kind, reference, ourId, ...made } };
}

/** @param header `t=…,v1=…`, with a `v1` for each secret that is valid while one replaces another */
function isSigned(secret: string, header: string, body: string, nowMs: number): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const valuesOf = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const [at = ''] = valuesOf('t');
  if (!SECONDS.test(at) || Math.abs(nowMs - Number(at) * SECOND_MS) > TOLERANCE_MS) {
    return false;
  }
  const expected = createHmac('sha256', secret).update(`${at}.${body}`).digest();
  return valuesOf('v1').some(
    (sent) => SHA256_HEX.test(sent) && timingSafeEqual(Buffer.from(sent, 'hex'), expected),
  );
}
