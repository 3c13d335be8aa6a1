import { describe, expect, test } from 'vitest';
import { viewCanceledPayment, viewPayment } from '../../shared/contract/payments.ts';
import {
  eraseFromEvent,
  eraseFromResponse,
  eraseFromView,
  withoutPayer,
} from '../../shared/flows/erasure.ts';
import { aPayment, aWorld } from '../support/world/entities.ts';

const PAYER = { email: 'somchai@example.com', name: 'Somchai', phone: '+66812345678' };
const METADATA = { customer_email: 'of the merchant', customer: 'too', 7: 1 };
const payment = aPayment({ customer: PAYER, clientIp: '203.0.113.7', metadata: METADATA });
const shown = viewPayment(aWorld(), payment);
const NOBODY = { customer_email: null, customer_name: null, customer_phone: null };

describe('erasing a payer', () => {
  test('leaves of a payment all but the payer, and says when', () => {
    expect(withoutPayer(payment, 5)).toEqual({
      ...payment,
      version: payment.version + 1,
      customer: { email: null, name: null, phone: null },
      clientIp: null,
      payerErasedAtMs: 5,
    });
  });

  test('leaves the form of what is shown, its order, and the words of the merchant', () => {
    const erased = eraseFromView(shown, payment.id);
    expect(erased).toEqual({ ...shown, ...NOBODY });
    expect(Object.keys(erased ?? {})).toEqual(Object.keys(shown));
    const canceled = viewCanceledPayment(aWorld(), payment, { permissions: ['payment.read'] });
    expect(eraseFromView(canceled, payment.id)).toEqual({
      ...canceled,
      customer: { email: null, name: null, phone: null },
    });
  });

  test('finds nothing where nothing is, or in what is not of this payment', () => {
    expect(eraseFromView({ ...shown, ...NOBODY }, payment.id)).toBeNull();
    expect(eraseFromView(shown, 'pay_other')).toBeNull();
    expect(eraseFromView({ id: payment.id, amount: 1 }, payment.id)).toBeNull();
    expect(eraseFromView(null, payment.id)).toBeNull();
    expect(eraseFromView('text', payment.id)).toBeNull();
  });

  test('changes nothing else in the text of an event or of a saved response', () => {
    const event = { id: 'evt_1', data: { object: shown, previous_status: null }, request: { id: null } };
    const erasedEvent = { ...event, data: { ...event.data, object: { ...shown, ...NOBODY } } };
    expect(eraseFromEvent(JSON.stringify(event), payment.id)).toBe(JSON.stringify(erasedEvent));
    const answer = { requestId: 'req_1', status: 201, contentType: 'application/json' };
    const saved = JSON.stringify({ ...answer, body: JSON.stringify(shown) });
    expect(eraseFromResponse(saved, payment.id)).toBe(
      JSON.stringify({ ...answer, body: JSON.stringify({ ...shown, ...NOBODY }) }),
    );
    const page = JSON.stringify({ ...answer, contentType: 'text/plain', body: 'https://pay.example/c/1' });
    expect(eraseFromResponse(page, payment.id)).toBeNull();
  });
});
