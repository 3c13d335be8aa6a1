import { VIEW } from '../contract/views.ts';
import { ABANDONED_AFTER_MS, providerAttemptOf } from '../domain/attempt-request.ts';
import type { Change } from '../domain/change.ts';
import { type World, worldNow } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import type {
  LiveProvider,
  NotificationSubject,
  ProviderResult,
  RawNotification,
} from '../providers/provider.ts';
import { insertNotification, isNotificationStored } from '../store/events/provider-event.ts';
import { commit } from '../store/table/commit.ts';
import { find } from '../store/table/entity.ts';
import { writesOf } from '../store/writes.ts';
import { COUNTED_LINES } from '../telemetry/counted-lines.ts';
import { log } from '../telemetry/log.ts';
import { MERCHANT_DIMENSION } from '../telemetry/metrics.ts';
import { applyProviderPaymentState, applyProviderRefundState } from './apply-provider-state.ts';
import { logUnknownOutcome } from './log-unknown-outcome.ts';
import { isConnectedTo, isLive, providerFor } from './provider-for.ts';

/** How many times a notification is decided when its commits conflict. */
const TRIES_MAX = 5;

/**
 * Receives a notification of a live provider, which is only a hint to retrieve the state (contract §15). It is stored
 * once by its id, with the effect of the retrieved state, so a repeated or late notification changes nothing.
 * @throws Problem `malformed_request` if it is not from the provider, or too old
 * @throws Problem `provider_unavailable` if the state stays unknown: the provider sends the notification again
 * @throws Problem `temporarily_unavailable` if commits keep conflicting, or if another request may be about to store
 *   the payment: the provider sends the notification again
 */
export async function receiveProviderNotification(world: World, raw: RawNotification): Promise<void> {
  const provider = await providerFor(world);
  const notification = isLive(provider) ? await provider.parseNotification(raw) : null;
  if (!isLive(provider) || notification === null) {
    throw new Problem('malformed_request');
  }
  const { id, about } = notification;
  const notificationId = `${provider.name} ${id}`;
  if (about === null || (await isNotificationStored(world, notificationId))) {
    return;
  }
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const changes = await CHANGES_OF[about.kind](provider, world, about, worldNow(world, raw.nowMs));
    if (changes === null && isTooEarly(about, raw.nowMs)) {
      throw new Problem('temporarily_unavailable');
    }
    if (changes === null) {
      log.error(COUNTED_LINES.NotificationUnmatched, {
        [MERCHANT_DIMENSION]: world.merchant,
        provider: provider.name,
        notification: id,
        kind: about.kind,
        reference: about.reference,
      });
    }
    const state = changes === null ? 'unmatched' : 'applied';
    const outcome = await commit([
      insertNotification(world, notificationId, about, state, raw.nowMs),
      ...writesOf({ world }, changes ?? [], VIEW),
    ]);
    if (outcome.kind === 'committed' || outcome.failed.includes(0)) {
      return;
    }
  }
  throw new Problem('temporarily_unavailable');
}

/** The changes that the retrieved state causes; null if the subject is not stored here. */
type ChangesOf = (
  provider: LiveProvider,
  world: World,
  about: NotificationSubject,
  nowMs: number,
) => Promise<readonly Change[] | null>;

const CHANGES_OF: Readonly<Record<NotificationSubject['kind'], ChangesOf>> = {
  payment: async (provider, world, { reference, ourId }, nowMs) => {
    const payment = ourId === null ? null : await find('payment', world, ourId);
    const sent = payment && providerAttemptOf(payment);
    if (payment === null || sent?.reference !== reference || !isConnectedTo(world, sent.account)) {
      return null;
    }
    return applyProviderPaymentState(world, payment, clearly(provider, await provider.retrieve(sent)), nowMs);
  },
  refund: async (provider, world, { reference, ourId: refundId }, nowMs) => {
    const refund = refundId === null ? null : await find('refund', world, refundId);
    const payment = refund && (await find('payment', world, refund.paymentId));
    const paymentReference = payment?.attempt?.reference;
    const isKnown = paymentReference !== undefined && isConnectedTo(world, payment?.attempt?.account);
    if (refund === null || refundId === null || !isKnown) {
      return null;
    }
    const result = await provider.retrieveRefund({ refundId, reference, paymentReference });
    const reported = clearly(provider, result);
    return reported === null ? null : applyProviderRefundState(refund, reported, nowMs);
  },
};

/** Whether the payment may not be stored yet: a provider can send a notification before this service commits. */
function isTooEarly({ kind, ourId, madeAtMs = 0 }: NotificationSubject, nowMs: number): boolean {
  return kind === 'payment' && ourId !== null && nowMs < madeAtMs + ABANDONED_AFTER_MS;
}

function clearly<State>(provider: LiveProvider, result: ProviderResult<State>): State {
  if (result.kind !== 'done') {
    logUnknownOutcome(provider, result, { call: 'retrieve, for a notification' });
    throw new Problem('provider_unavailable');
  }
  return result.reported;
}
