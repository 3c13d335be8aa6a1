import { createClient } from '../../shared/client/client.ts';
import { expectEvent } from '../deployed/expect-event.ts';
import type { Stage } from '../deployed/stage.ts';
import type { ShownPayment } from './shown-payment.ts';

/** LocalStack hands on one batch of a stream at a time, and looks rarely where a stream was empty. */
const EVENT_WITHIN_MS = 120_000;

/**
 * Pays a payment, through the gateway.
 * @throws Error where it is not paid, or no event says so: functions read the events from the stream of the table
 */
export async function expectPaid(stage: Stage, { id }: ShownPayment): Promise<void> {
  const client = createClient(stage);
  await client.simulatePayment(id, { outcome: 'succeeded' });
  const { status } = await client.getPayment(id);
  if (status !== 'succeeded') {
    throw new Error(`${id} was paid, and is ${status}`);
  }
  await expectEvent(stage, id, 'payment.succeeded', EVENT_WITHIN_MS, `no event says that ${id} was paid`);
}
