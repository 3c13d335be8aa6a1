import { operations } from '../../shared/contract/operations.ts';
import { MINUTE_MS } from '../../shared/domain/clock.ts';
import type { Consumption } from './cost.ts';
import { unitsOf } from './meter.ts';
import type { Service, Stand } from './stand.ts';

/* The whole life of a payment, and all that it uses of AWS. */

/** With a reference, a customer and metadata, as a shop would send it. */
export const ORDER = operations.createPayment.example;
/** The payments of all merchants: they share what a tick of the clock costs that finds nothing. */
export const PAYMENTS_A_MINUTE = 60;
const EVENTS = 3;
/** A payment by PromptPay expires after a quarter of an hour. */
export const UNTIL_EXPIRED_MS = 16 * MINUTE_MS;

/** How a life goes. */
export interface LifeKind {
  readonly receivers: 0 | 1;
  /** How the provider reports that the payer paid: by the test kit's operation, or by itself, as a live one. */
  readonly paidBy: 'simulate' | 'provider';
  readonly order?: object;
}

/**
 * Measures a payment of a merchant, not its first, that is created, read once and paid, whose three events go to every receiver, and whose
 * expiry comes. The worker's own clock is moved there.
 * @param service on the metered store, with nothing else to do
 * @throws Error where a life is not whole
 */
export async function measureLife(
  stand: Stand,
  service: Service,
  { receivers, paidBy, order = ORDER }: LifeKind,
): Promise<Consumption> {
  const { meter, receiver } = stand;
  const { merchant, secret } = await service.openMerchant(receivers);
  const takePayment = async () => {
    const { id } = await service.ask<{ id: string }>(secret, operations.createPayment, { body: order });
    const params = { id };
    const { runs: first } = await stand.runFresh(service);
    await service.ask(secret, operations.getPayment, { params });
    if (paidBy === 'simulate') {
      await service.ask(secret, operations.simulatePayment, { params, body: { outcome: 'succeeded' } });
    } else {
      await service.call('/provider-event', { merchant, paymentId: id });
    }
    const { runs: second } = await stand.runFresh(service);
    return { params, runs: first + second };
  };
  // Work that the creation of the merchant causes is not part of the payment.
  await stand.runFresh(service);
  // Nor is what a merchant's first payment alone writes: where the event log is.
  await takePayment();
  const idle = await tickUnits(stand, service);
  if (idle.events.length > 0) {
    throw new Error('there is other work to do');
  }
  receiver.take();
  meter.take();

  const { params, runs } = await takePayment();
  const untilPaid = unitsOf(meter.take());

  const received = receiver.take();
  if (received !== EVENTS * receivers) {
    throw new Error(`${received} events were delivered to ${receivers} receivers`);
  }

  await service.call('/clock', { ms: UNTIL_EXPIRED_MS });
  const { events, ...found } = await tickUnits(stand, service);
  await stand.run(service, events);
  const { runs: last } = await stand.runFresh(service);
  const expiry = unitsOf(meter.take());
  const left = await tickUnits(stand, service);
  meter.take();
  if (left.events.length > 0) {
    throw new Error('the expiry leaves work behind');
  }
  const { status } = await service.ask<{ status: string }>(secret, operations.getPayment, { params });
  if (status !== 'succeeded') {
    throw new Error(`a payment that was paid is ${status}`);
  }
  // A tick comes anyway: what this payment adds to it, and its share of the rest.
  const tick = (unit: 'readUnits' | 'writeUnits') =>
    found[unit] - idle[unit] + idle[unit] / PAYMENTS_A_MINUTE;
  return {
    readUnits: untilPaid.readUnits + tick('readUnits') + expiry.readUnits,
    writeUnits: untilPaid.writeUnits + tick('writeUnits') + expiry.writeUnits,
    requests: 3,
    runs: runs + events.length + last,
    busEvents: events.length,
  };
}

/** Has the clock tick: what that costs the store, and the events that it puts on the bus. */
export async function tickUnits(stand: Stand, service: Service) {
  stand.meter.take();
  const events = await stand.tick(service);
  return { events, ...unitsOf(stand.meter.take()) };
}
