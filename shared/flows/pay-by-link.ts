import { VIEW } from '../contract/views.ts';
import { type LinkPayer, type PaymentLink, paymentInputFromLink } from '../domain/payment-link.ts';
import type { RequestClaim } from '../domain/request-start.ts';
import { afterOf } from '../domain/resource-change.ts';
import { isProblem } from '../errors/problem.ts';
import type { Write } from '../store/table/commit.ts';
import { get } from '../store/table/entity.ts';
import type { Moment, StoredWorld } from '../store/worlds/world.ts';
import { writesOf } from '../store/writes.ts';
import { createPaymentAtProvider } from './create-payment-at-provider.ts';
import { findLinkEnd, type LinkEnd, linkUnavailable } from './link-end.ts';

interface PayByLinkDecision {
  readonly writes: readonly Write[];
  readonly response: { readonly status: number; readonly contentType: string; readonly body: string };
}

interface LinkRequest {
  readonly baseUrl: string;
  readonly requestId: string;
  /** Runs a decision once for a key, and returns the body of its saved response. */
  readonly once: (
    form: {
      readonly world: StoredWorld;
      readonly key: string;
      readonly path: string;
      readonly body: unknown;
    },
    decide: (claim: RequestClaim, moment: Moment) => Promise<PayByLinkDecision>,
  ) => Promise<string>;
}

/**
 * Creates a payment from a link: one for each attempt, however often the form is sent. The same transaction counts one
 * use of the link, so that no more payments are open or paid than the link allows.
 * @returns the address of the payment's page, or why the link accepts no payment
 */
export async function payByLink(
  { baseUrl, requestId, once }: LinkRequest,
  { world, link }: { readonly world: StoredWorld; readonly link: PaymentLink },
  payer: LinkPayer,
  attempt: string,
): Promise<{ readonly pageUrl: string } | { readonly end: LinkEnd }> {
  // The form's content is part of the key, so a payer who goes back and corrects the form makes a new attempt.
  const key = JSON.stringify([attempt, link.id, payer]);
  const form = { world, key, path: `/l/${link.code}`, body: payer };
  let end: LinkEnd | null = null;
  try {
    const pageUrl = await once(form, async (claim, { world, nowMs }) => {
      const current = await get('paymentLink', world, link.id);
      end = await findLinkEnd({ world, nowMs }, current);
      if (end !== null) {
        throw linkUnavailable(end);
      }
      const created = await createPaymentAtProvider(
        { world, baseUrl, link, nowMs, claim },
        paymentInputFromLink(current, payer),
      );
      return {
        writes: writesOf({ world, requestId }, [created], VIEW),
        response: { status: 303, contentType: 'text/plain', body: afterOf(created).pageUrl },
      };
    });
    return { pageUrl };
  } catch (error) {
    if (isProblem(error, 'link_unavailable') && end !== null) {
      return { end };
    }
    throw error;
  }
}
