import { expectEvent } from './expect-event.ts';
import { call, type Stage } from './stage.ts';

/** The clock ticks once a minute, and finds an item a minute after its creation. */
const TICK_WITHIN_MS = 4 * 60_000;

/** A payment that is never paid, and that no request reads: only the clock can report its end. */
export async function createExpiring(stage: Stage): Promise<string> {
  const { status, body } = await call(stage, 'POST', '/payments', {
    amount: { currency: 'THB', minor: 1_000 },
    method: 'promptpay',
    expires_in_minutes: 1,
  });
  if (status !== 201) {
    throw new Error(`a payment in ${stage.name} answered ${status}`);
  }
  return body.id;
}

export function expectExpired(stage: Stage, paymentId: string): Promise<void> {
  return expectEvent(stage, paymentId, 'payment.expired', TICK_WITHIN_MS, `no tick came in ${stage.name}`);
}
