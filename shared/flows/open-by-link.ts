import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { VIEW } from '../contract/views.ts';
import {
  type LinkPayer,
  orderFromLink,
  type PaymentLink,
  type Unavailability,
  unavailabilityOf,
} from '../domain/payment-link.ts';
import { afterOf } from '../domain/resource-change.ts';
import { type Moment, type World, worldNow } from '../domain/world.ts';
import { isProblem, Problem } from '../errors/problem.ts';
import { type Claimed, idempotent, identify, type Outcome } from '../http/idempotent.ts';
import { get } from '../store/entity.ts';
import { writesOf } from '../store/writes.ts';
import { openPayment } from './open-payment.ts';

/** A payer who presses twice waits for the payment of the first press. */
const WAITS_MAX = 30;
const WAIT_MS = 100;

export interface LinkRequest {
  readonly baseUrl: string;
  readonly realNowMs: number;
  readonly requestId: string;
  readonly context: Context;
}

/**
 * Opens a payment from a link: one for each attempt, however often the form is sent. The same transaction takes a use
 * of the link, so that no more payments are open or paid than the link allows.
 * @returns the address of the payment's page, or why the link takes no payment
 */
export async function openByLink(
  request: LinkRequest,
  { world, link }: { readonly world: World; readonly link: PaymentLink },
  payer: LinkPayer,
  attempt: string,
): Promise<{ readonly pageUrl: string } | { readonly unavailable: Unavailability }> {
  const { baseUrl, realNowMs, requestId, context } = request;
  const nowMs = worldNow(world, realNowMs);
  const decide = async (claimed: Claimed, moment: Moment): Promise<Outcome> => {
    const { world } = moment;
    const current = await get('paymentLink', world, link.id);
    const reason = unavailabilityOf(current, moment.nowMs);
    if (reason !== null) {
      throw new Problem('link_unavailable', { details: { reason } });
    }
    const place = { world, baseUrl, link, claimed };
    const opened = await openPayment(place, orderFromLink(current, payer));
    return {
      writes: writesOf({ world, requestId }, [opened], VIEW),
      answer: { status: 303, contentType: 'text/plain', body: afterOf(opened).pageUrl },
    };
  };
  // The form's content is part of the key: a payer who goes back and corrects the form makes a new attempt, no error.
  const identity = identify(JSON.stringify([attempt, link.id, payer]), 'POST', `/l/${link.code}`, payer);
  for (let wait = 1; ; wait += 1) {
    try {
      // `waitsForClaim`: a payer who presses twice must not use up a second number.
      const { body } = await idempotent(
        { world, nowMs, identity, keySpace: 'page', requestId, context, waitsForClaim: true },
        decide,
      );
      return { pageUrl: body };
    } catch (error) {
      if (isProblem(error, 'link_unavailable')) {
        return { unavailable: error.details.reason };
      }
      if (!isProblem(error, 'idempotency_in_progress') || wait >= WAITS_MAX) {
        throw error;
      }
    }
    await sleep(WAIT_MS);
  }
}
