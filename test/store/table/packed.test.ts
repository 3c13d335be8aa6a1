import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventBody } from '../../../shared/contract/events.ts';
import { viewPayment } from '../../../shared/contract/payments.ts';
import { newId } from '../../../shared/domain/id.ts';
import { afterOf } from '../../../shared/domain/resource-change.ts';
import { sha256Hex } from '../../../shared/domain/secret.ts';
import { pack, unpack } from '../../../shared/store/table/packed.ts';
import { aWorld, CREATED_AT_MS } from '../../support/world/entities.ts';
import { newPaymentWithAttempt } from '../../support/world/new-payment.ts';

/** Packed with version 1, whose dictionary must never change again. */
const SAMPLE = {
  text: String.raw`{"id":"evt_01k92fwa00e7t8000000000001","type":"refund.succeeded","data":{"object":{"note":"ขอบคุณ ☕ \ud800"}},"body":"{\"customer_email\":null}"}`,
  packed:
    'AUNpVmdbGqWVJxoYpJqXWCClSENEaxs62oAcCphN47x88LDXgx1ND3asfbBj1oMdLQ927HiwY7LCoxlTFWJKUywMDMBTmYhReKyFcq1SLQA=',
};
/** The whole text of that dictionary. */
const ALL_OF_IT = {
  sha256: 'bd4b3db4e8210ae90aed52e9a45be3066b2dfe48d32a25fccbe4132007a58cce',
  packed:
    'Ae3aIQEAAADDoLrvn2AxbkiBYe6Su+QuuUvukrvkLrlL7pK75C65S+6Su+QuuUvukrvkLrlL7pK75C65S+6Su+QuuUvukrvkLrlL7pK75C65SwfpAw==',
};

const world = aWorld();

/** The events and the response of a new payment, at the longest addresses that AWS gives. */
function paymentEvents() {
  const opening = {
    world,
    number: 'P-004217',
    baseUrl: 'https://0123456789.execute-api.ap-southeast-1.amazonaws.com/v1',
    nowMs: CREATED_AT_MS,
  };
  const change = newPaymentWithAttempt(opening, {
    amount: { currency: 'THB', minor: 129_900 },
    method: 'promptpay',
    reference: 'order-1042',
    checkout: true,
    customer: { email: 'somchai@example.com' },
    metadata: { cart: 'c-77120', channel: 'line-oa' },
  });
  const request = { id: newId('req', CREATED_AT_MS), idempotencyKey: crypto.randomUUID() };
  const events = change.steps.map(({ event: type, previousStatus, after }, index) => {
    const { id: resourceId, updatedAtMs: occurredAtMs } = after;
    const sequence = 8_431 + index;
    const id = newId('evt', CREATED_AT_MS, sequence);
    const object = viewPayment(world, after);
    const domainEvent = { type, resourceId, occurredAtMs, previousStatus, object, request };
    return eventBody(world, domainEvent, id, sequence);
  });
  const answer = JSON.stringify({
    requestId: request.id,
    status: 201,
    contentType: 'application/json',
    body: JSON.stringify(viewPayment(world, afterOf(change))),
  });
  return { events, answer };
}

describe('a packed text', () => {
  test('is unpacked exactly, whatever it contains', { tags: 'slow' }, () => {
    const { events, answer } = paymentEvents();
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.constantFrom(...events, answer, 'กาแฟ ☕ '.repeat(10_000)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(unpack(pack(text))).toBe(text);
      }),
    );
  });

  test('of an earlier commit is still read: the dictionary of its version has not changed', () => {
    const bytes = Buffer.from(SAMPLE.packed, 'base64');
    expect(bytes[0]).toBe(1);
    expect(unpack(bytes)).toBe(SAMPLE.text);
    expect(sha256Hex(unpack(Buffer.from(ALL_OF_IT.packed, 'base64')))).toBe(ALL_OF_IT.sha256);
  });

  test.each([[[]], [[0]], [[2, 3, 0]], [[...Buffer.from('not packed')]]])(
    'is distinguished from bytes of no known version: %j',
    (bytes) => {
      expect(() => unpack(Uint8Array.from(bytes))).toThrow(/no dictionary of version/);
    },
  );

  test('that was cut short is not taken for a shorter one', () => {
    expect(() => unpack(pack('a text').subarray(0, -2))).toThrow('unexpected end of file');
  });

  test("takes a fraction of its bytes: a payment's event, a commit's two events, a response", () => {
    for (let times = 0; times < 20; times += 1) {
      const { events, answer } = paymentEvents();
      expect(events).toHaveLength(2);
      for (const event of events) {
        expect(event.length).toBeGreaterThan(900);
        expect(pack(event).length).toBeLessThanOrEqual(345);
      }
      // As the event log keeps them.
      expect(pack(events.join('\n')).length).toBeLessThanOrEqual(450);
      expect(pack(answer).length).toBeLessThanOrEqual(450);
    }
  });
});
