import { ProblemError } from '../../shared/client/call-error.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import { waitUntil } from './wait-until.ts';

const SEE_OTHER = 303;
const REFUSED = [409, 410];

/**
 * Creates a payment by the form of a link's page, as a payer does.
 * @param fields of the form
 * @returns the payment
 * @throws ProblemError `link_unavailable` if the page says that the link takes no payment
 */
export async function payByLink(
  { client, eventTimeoutMs }: Pick<ScenarioWorld, 'client' | 'eventTimeoutMs'>,
  linkId: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { url } = await client.getPaymentLink(linkId);
  const form = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  });
  await response.body?.cancel();
  if (REFUSED.includes(response.status)) {
    const facts = { operation: 'payByLink', idempotencyKey: null, attempts: 1 };
    const body = { code: 'link_unavailable', status: response.status, title: 'Link unavailable' } as const;
    throw new ProblemError(body, response.headers.get('x-request-id'), facts);
  }
  if (response.status !== SEE_OTHER) {
    throw new Error(`The page of the payment link responded with ${response.status}.`);
  }
  const page = response.headers.get('location');
  let payment: Readonly<Record<string, unknown>> | undefined;
  // A list may lag behind.
  await waitUntil(async () => {
    const { data } = await client.listPayments({ limit: 100 });
    payment = data.find(({ checkout_url }) => checkout_url === page);
    return payment === undefined ? page : null;
  }, eventTimeoutMs);
  if (payment === undefined) {
    throw new Error('The page of the payment link leads to no payment.');
  }
  return payment;
}
