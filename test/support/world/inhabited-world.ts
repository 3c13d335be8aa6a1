import { allOperations, operations } from '../../../shared/contract/operations.ts';
import type { BodyFieldsOf, OperationId } from '../../../shared/story/operation-id.ts';
import type { Client } from './api.ts';
import { newConnected } from './live-merchant.ts';
import { acceptableRequest, moveClock } from './resources.ts';

/** What stands at each `{…}` of a path, by the word before it: `/payments/{id}` is `payments`. */
export type Inhabitants = Readonly<Record<string, string>>;

/** The phone number of everybody there: a mark cannot stand in one. */
export const PHONE = '+66891234567';

/** A body with every field, but for some that hold no free text: without a new field, it does not compile. */
type WholeBody<Id extends OperationId, Without extends keyof BodyFieldsOf<Id>> = BodyFieldsOf<Id> & {
  readonly [Field in Exclude<keyof BodyFieldsOf<Id>, Without>]-?: Whole<NonNullable<BodyFieldsOf<Id>[Field]>>;
};
type Whole<Value> = Value extends object ? { readonly [Field in keyof Value]-?: Value[Field] } : Value;

/**
 * Puts one of everything into a world, by its API alone, so that every address of the service leads somewhere.
 * Provider notifications go to another merchant, in live mode.
 * @param mark stands in everything that can be written freely
 */
export async function inhabitWorld(api: Client, mark: string): Promise<Inhabitants> {
  const amount = { currency: 'THB', minor: 100_000 } as const;
  const order = {
    amount,
    reference: `${mark}-reference`,
    description: `${mark} description`,
    customer: { email: `${mark}@example.com`, name: `${mark} name`, phone: PHONE },
    metadata: { note: `${mark} metadata` },
    client_ip: '203.0.113.77',
    return_url: `https://shop.example/${mark}`,
    checkout: true,
  } satisfies WholeBody<'payments.CreatePayment', 'method' | 'expires_in_minutes'>;
  const { json: sink } = await api(operations.createWebhookSink, { body: { name: `${mark} sink` } });
  // The endpoint delivers to a sink too, which accepts everything.
  const { json: taker } = await api(operations.createWebhookSink);
  const { json: endpoint } = await api(operations.createWebhookEndpoint, {
    body: { url: `${taker.url}?of=${mark}`, description: `${mark} endpoint` },
  });
  const { json: payment } = await api(operations.createPayment, { body: { ...order, method: 'promptpay' } });
  const { json: paid } = await api(operations.createPayment, { body: order });
  await api(operations.simulatePayment, {
    params: { id: paid.id },
    body: { outcome: 'succeeded', event_id: `${mark}-event`, result_code: mark },
  });
  const { json: refund } = await api(operations.requestRefund, {
    params: { id: paid.id },
    body: {
      amount: { currency: 'THB', minor: 100 },
      reason: `${mark} reason`,
    } satisfies WholeBody<'payments.RequestRefund', 'payment_id' | 'reason_code'>,
  });
  const { json: link } = await api(operations.createPaymentLink, {
    body: {
      amount: { type: 'open' },
      collect: { email: 'optional', name: 'optional', phone: 'optional' },
      description: `${mark} link`,
      metadata: { note: `${mark} metadata` },
      return_url: `https://shop.example/${mark}`,
    } satisfies WholeBody<'checkout.CreatePaymentLink', 'amount' | 'expires_at' | 'max_uses'>,
  });
  const { json: settled } = await api(operations.simulateSettlement, { body: { provider: mark } });
  // Now events have left the outbox, and the sink has received them.
  await moveClock(api, 1);
  const { json: created } = await api(operations.createTestWorld, { body: { name: `${mark} world` } });
  const { json: settlements } = await api(operations.listSettlements);
  const { json: events } = await api(operations.listEvents);
  const { json: deliveries } = await api(operations.listDeliveries, { params: { id: sink.id } });
  const { json: sent } = await api(operations.listEndpointDeliveries, { params: { id: endpoint.id } });
  const secrets = { secret_key: `sk_test_${mark}`, webhook_secret: `whsec_${mark}` };
  const { connection } = await newConnected(secrets);
  const inhabitants = {
    payments: payment.id,
    paid: paid.id,
    refunds: refund.id,
    'payment-links': link.id,
    payouts: String(settled.payout_id),
    settlements: String(settlements.data[0]?.id),
    events: String(events.data[0]?.id),
    'webhook-endpoints': endpoint.id,
    sinks: sink.id,
    worlds: created.id,
    deliveries: String(deliveries.data[0]?.id),
    'endpoint-deliveries': String(sent.data[0]?.id),
    checkout: lastSegment(String(payment.checkout_url)),
    l: link.code,
    sink: lastSegment(sink.url),
    errors: 'validation_failed',
    providers: connection.kind,
    '{provider}': connection.token,
  };
  return { ...(await othersThan(inhabitants, api)), ...inhabitants };
}

/** One of each other resource that can be retrieved, as its operations make it. */
async function othersThan(known: Inhabitants, api: Client): Promise<Inhabitants> {
  const reads = allOperations.flatMap((row) => {
    const [, kind = ''] = /^\/api\/v1\/([\w-]+)\/\{id\}$/.exec(row.path) ?? [];
    return row.method !== 'GET' || kind === '' || kind in known ? [] : [{ row, kind }];
  });
  const made = reads.map(async ({ row, kind }) => {
    const { params } = await acceptableRequest(row, api);
    return [kind, String(params?.id)];
  });
  return Object.fromEntries(await Promise.all(made));
}

/** What the documentation has in every world. */
const DOCUMENTED: Inhabitants = {
  docs: 'testing',
  api: 'createPayment',
  objects: 'Payment',
  'docs-events': 'payment.succeeded',
};

/** What a path's parameters are in a world. A refund is requested of a paid payment. */
export function paramsIn(world: Inhabitants, path: string): Record<string, string> {
  const params = [...path.matchAll(/(?<=([\w{}-]+)\/)\{(\w+)\}/g)].map(([, word = '', name = '']) => {
    const kind = placeOf(path, word);
    const value = world[kind] ?? DOCUMENTED[kind];
    if (value === undefined) {
      throw new Error(`say in inhabitWorld what stands at ${path}`);
    }
    return [name, value];
  });
  return Object.fromEntries(params);
}

function placeOf(path: string, word: string): string {
  if (path.endsWith('/{id}/refunds')) {
    return 'paid';
  }
  if (path.startsWith('/docs/events/')) {
    return 'docs-events';
  }
  return word === 'deliveries' && path.includes('/webhook-endpoints/') ? 'endpoint-deliveries' : word;
}

function lastSegment(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
