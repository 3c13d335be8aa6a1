import { createClient } from '../../shared/client/client.ts';
import { expectEvent } from '../deployed/expect-event.ts';
import type { Stage } from '../deployed/stage.ts';

/** LocalStack hands on one batch of a stream at a time, and looks rarely where a stream was empty. */
const EVENT_WITHIN_MS = 120_000;

/** A payment with a QR. */
export interface PaidPayment {
  readonly reference: string;
  /** The address of its QR as SVG. */
  readonly picture: string;
  /** What the QR says. */
  readonly payload: string;
}

/**
 * Creates a payment and pays it, through the gateway.
 * @throws Error where it is not paid, or no event says so: functions read the events from the stream of the table
 */
export async function expectPaid(stage: Stage): Promise<PaidPayment> {
  const client = createClient(stage);
  const reference = 'shown-on-the-dashboard';
  const { id, next_action: action } = await client.createPayment({
    amount: { currency: 'THB', minor: 129_900 },
    method: 'promptpay',
    reference,
    checkout: true,
  });
  if (action?.type !== 'display_qr') {
    throw new Error(`${id} has no QR`);
  }
  await client.simulatePayment(id, { outcome: 'succeeded' });
  const { status } = await client.getPayment(id);
  if (status !== 'succeeded') {
    throw new Error(`${id} was paid, and is ${status}`);
  }
  await expectEvent(stage, id, 'payment.succeeded', EVENT_WITHIN_MS, `no event says that ${id} was paid`);
  return { reference, picture: action.qr.image_svg_url, payload: action.qr.payload };
}
