import assert from 'node:assert/strict';
import type { ServiceFile } from '../support/world/host.ts';

/** More than 32 bits hold. */
const LARGE_MINOR = 3_000_000_000;
const METADATA = { cart: 'c-7', items: 3, gift: true };
/** The calls of every program: create, read, cancel twice, a link, create, read, list. */
export const CALLS = 8;

interface Printed {
  readonly payment: { readonly id: string; readonly qr: string };
  readonly link: { readonly id: string };
  readonly large: { readonly id: string };
}

/**
 * Compares the output of a client's program with its task and with the state of the service.
 * @throws AssertionError with the difference
 */
export async function expectFirstPayment(service: ServiceFile, output: string): Promise<void> {
  const printed = JSON.parse(output) as Printed;
  const [paymentId, linkId, largeId] = [printed.payment.id, printed.link.id, printed.large.id];
  assert.deepEqual(printed, {
    payment: {
      id: paymentId,
      status: 'requires_action',
      minor: 129_900,
      currency: 'THB',
      reference: 'order-1042',
      metadata: METADATA,
      qr: printed.payment.qr,
    },
    canceled: 'canceled',
    refusal: { status: 409, code: 'invalid_state', current_status: 'canceled' },
    link: { id: linkId, amount_type: 'open', min_minor: 2_000, description: 'Tip jar' },
    large: { id: largeId, created: LARGE_MINOR, read: LARGE_MINOR, listed: LARGE_MINOR },
  });
  // The amount as banks read it, in baht.
  assert.match(printed.payment.qr, /^000201.*54071299\.00/);
  const [payment, large, link] = await Promise.all([
    read(service, `payments/${paymentId}`),
    read(service, `payments/${largeId}`),
    read(service, `payment-links/${linkId}`),
  ]);
  const { status, amount, reference, metadata, method } = payment;
  assert.deepEqual(
    { status, amount, reference, metadata, method },
    {
      status: 'canceled',
      amount: { currency: 'THB', minor: 129_900 },
      reference: 'order-1042',
      metadata: METADATA,
      method: 'promptpay',
    },
  );
  assert.deepEqual(large.amount, { currency: 'THB', minor: LARGE_MINOR });
  assert.deepEqual([link.min_amount, link.description], [{ currency: 'THB', minor: 2_000 }, 'Tip jar']);
}

async function read({ baseUrl, key }: ServiceFile, address: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${baseUrl}/api/v1/${address}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  assert.equal(response.status, 200, `the service does not have ${address}`);
  return (await response.json()) as Record<string, unknown>;
}
