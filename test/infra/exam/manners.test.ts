import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../infra/events/follow-events.ts';
import { requestOf } from '../../../infra/events/forward.ts';
import { signerOf } from '../../../infra/events/signing-secret.ts';
import { MANNERS, type MannerName, mannerOf } from '../../../infra/exam/manners.ts';
import { newSigningSecret } from '../../../shared/domain/secret.ts';

const NAMES = Object.keys(MANNERS) as MannerName[];
const EVENT = {
  id: 'evt_01k92fwa00e7t8000000000003',
  type: 'payment.succeeded',
  timestamp: '2026-11-02T03:00:00.000Z',
  sequence: 3,
  data: { object: { id: 'pay_1', method: 'promptpay', metadata: { cart: 'c_77' } }, previous_status: null },
} as unknown as Event;

/** What the official verifier says of the request in which a manner sends the event. */
function verdictOf(name: MannerName | undefined): { isAccepted: boolean; event: Event | null } {
  const secret = newSigningSecret();
  const manner = mannerOf(name);
  const event = manner.change?.(EVENT) ?? EVENT;
  const signer = signerOf(secret);
  const { headers, body } = manner.deliver?.(event, signer) ?? requestOf(event, 1, signer);
  try {
    return { isAccepted: true, event: new Webhook(secret).verify(body, { ...headers }) as Event };
  } catch {
    return { isAccepted: false, event: null };
  }
}

describe('a request of the exam', () => {
  test.each(NAMES.filter((name) => mannerOf(name).must === 'refuse'))(
    'that is sent in the manner %s is refused by the official verifier',
    (name) => {
      expect(verdictOf(name).isAccepted).toBe(false);
    },
  );

  test.each([undefined, ...NAMES.filter((name) => mannerOf(name).must !== 'refuse')])(
    'that is sent in the manner %s is accepted by the official verifier',
    (name) => {
      const { isAccepted, event } = verdictOf(name);
      expect(isAccepted).toBe(true);
      const { type, data } = event ?? EVENT;
      expect(data.object).toMatchObject({ id: 'pay_1' });
      expect(type).toBe(name === 'unknownType' ? 'payment.teleported' : 'payment.succeeded');
    },
  );

  test('is refused in eleven ways, and none of them counts', () => {
    const refused = NAMES.filter((name) => mannerOf(name).must === 'refuse');
    expect(refused).toHaveLength(11);
    expect(refused.filter((name) => mannerOf(name).counts !== false)).toEqual([]);
  });
});
