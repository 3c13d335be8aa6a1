import { VIEW } from '../../shared/contract/views.ts';
import { newId } from '../../shared/domain/id.ts';
import { paymentProviderEvent } from '../../shared/domain/provider-event.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { applyNowOrLater, applyPaymentEvent } from '../../shared/flows/apply-provider-event.ts';

/**
 * A provider says that a payment was paid, as a live one would: no operation of the test kit is called, and no claim is
 * made, since the event's id is what makes it take effect once.
 */
export async function applyProviderEvent({ merchant, paymentId }: { merchant: string; paymentId: string }) {
  const { commit } = await import('../../shared/store/table/commit.ts');
  const { readPaymentWithLink } = await import('../../shared/store/money/payment-link.ts');
  const { getWorld } = await import('../../shared/store/worlds/world.ts');
  const { writesOf } = await import('../../shared/store/writes.ts');
  const nowMs = Date.now();
  const world = await getWorld(worldIdOf(merchant, 'test'));
  const { payment, link } = await readPaymentWithLink({ world, nowMs }, paymentId);
  const ids = { eventId: newId('pev', nowMs), actionId: newId('act', nowMs) };
  const event = paymentProviderEvent(payment, ids, { outcome: 'succeeded' });
  const apply = () => applyPaymentEvent(world, payment, event, nowMs, link);
  const { changes } = await applyNowOrLater(event, { nowMs }, apply);
  const { kind } = await commit(writesOf({ world }, changes, VIEW));
  if (kind !== 'committed') {
    throw new Error('the event of the provider was not stored');
  }
}
