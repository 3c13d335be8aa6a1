import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { parseStripeNotification } from '../../../shared/providers/stripe/stripe-notification.ts';

const SECRET = 'whsec_newest';
const OLD_SECRET = 'whsec_oldest';
const NOW_MS = Date.UTC(2026, 10, 2, 3, 4, 5);
const NOW_SECONDS = NOW_MS / 1_000;

const INTENT = { object: 'payment_intent', id: 'pi_1', metadata: { payment_id: 'pay_1' } };
const bodyOf = (object: object) =>
  JSON.stringify({ id: 'evt_1', object: 'event', type: 'any', data: { object } }, null, 2);
const BODY = bodyOf(INTENT);
const NOTIFICATION = { id: 'evt_1', about: { kind: 'payment', reference: 'pi_1', ourId: 'pay_1' } };

/** Signed by the vendor's own SDK. */
function signed(payload: string, { secret = SECRET, timestamp = NOW_SECONDS, scheme = 'v1' } = {}): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp, scheme });
}

function read(header: string | undefined, body = BODY) {
  return parseStripeNotification(SECRET, { headers: { 'stripe-signature': header }, body, nowMs: NOW_MS });
}

describe('a notification', () => {
  test('that Stripe has signed is parsed, with its ids there and here', () => {
    expect(read(signed(BODY))).toEqual(NOTIFICATION);
  });

  test.each([
    [
      'a refund',
      { object: 'refund', id: 're_1', metadata: { refund_id: 'ref_1' } },
      { kind: 'refund', reference: 're_1', ourId: 'ref_1' },
    ],
    [
      'a payment that says nothing of us',
      { object: 'payment_intent', id: 'pi_1', metadata: {} },
      { kind: 'payment', reference: 'pi_1', ourId: null },
    ],
    [
      'a refund without metadata',
      { object: 'refund', id: 're_1', metadata: null },
      { kind: 'refund', reference: 're_1', ourId: null },
    ],
    [
      'something that is not our business',
      { object: 'charge', id: 'py_1', metadata: { payment_id: 'pay_1' } },
      null,
    ],
    ['the account', { object: 'balance' }, null],
  ])('about %s says so', (_, object, about) => {
    const body = bodyOf(object);
    expect(read(signed(body), body)).toEqual({ id: 'evt_1', about });
  });

  test.each([
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ])('that is %i seconds old is read: %s', (seconds, isRead) => {
    expect(read(signed(BODY, { timestamp: NOW_SECONDS - seconds })) !== null).toBe(isRead);
  });

  test('is read while one secret replaces another: one signature of many is enough', () => {
    const other = signed(BODY, { secret: OLD_SECRET });
    const [, own] = signed(BODY).split(',');
    expect(read(`${other},${own}`)).toEqual(NOTIFICATION);
    expect(read(`t=${NOW_SECONDS},v0=abc,${own},v1=short`)).toEqual(NOTIFICATION);
  });

  test.each([
    ['by no signer', undefined],
    ['by an empty text', ''],
    ['by another signer', signed(BODY, { secret: OLD_SECRET })],
    ['by another scheme', signed(BODY, { scheme: 'v0' })],
    ['for another body', signed(`${BODY} `)],
    ['for another time', signed(BODY).replace(/t=\d+/, `t=${NOW_SECONDS + 1}`)],
    ['without a time', signed(BODY).replace(/t=\d+,/, '')],
    ['at no time', signed(BODY).replace(/t=\d+/, 't=NaN')],
    ['by half a signature', signed(BODY).slice(0, -2)],
    ['by no hexadecimal', signed(BODY).replace(/v1=.*/, `v1=${'z'.repeat(64)}`)],
    ['by too much', `${signed(BODY)}00`],
  ])('that is signed %s is not read', (_, header) => {
    expect(read(header)).toBeNull();
  });

  test.each(['', 'null', '[]', '{"id":1}', '{"id":"evt_1"}', '{"id":"evt_1","data":{"object":null}}', '{'])(
    'that is signed but not an event is not read: %s',
    (body) => {
      expect(read(signed(body), body)).toBeNull();
    },
  );
});
