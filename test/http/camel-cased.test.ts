import { describe, expect, it } from 'vitest';
import { allOperations } from '../../shared/contract/operations.ts';
import { paymentLinkOperations } from '../../shared/contract/payment-links.ts';
import { paymentOperations } from '../../shared/contract/payments.ts';
import { camelCased } from '../../shared/http/camel-cased.ts';
import { clientOf } from '../support/world/api.ts';
import { startInProcess } from '../support/world/in-process.ts';
import { newKey } from '../support/world/merchant.ts';
import { storedItems } from '../support/world/stored-items.ts';

interface AnyNode {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, AnyNode>>;
  readonly wrapped?: AnyNode;
  readonly item?: AnyNode;
  readonly options?: readonly unknown[];
}

/** A value with every field that a schema lists. */
function sampleOf({ type, entries, wrapped, item, options }: AnyNode): unknown {
  if (wrapped !== undefined) {
    return sampleOf(wrapped);
  }
  if (entries !== undefined) {
    return Object.fromEntries(Object.entries(entries).map(([name, field]) => [name, sampleOf(field)]));
  }
  const [option] = options ?? [];
  return type === 'record'
    ? { order_id: 1 }
    : item !== undefined
      ? [sampleOf(item)]
      : typeof option === 'object' && option !== null
        ? sampleOf(option)
        : 'x';
}

describe('inputs', () => {
  it.each(
    allOperations.flatMap(({ id, query, body }) =>
      Object.entries({ query, body }).flatMap(([part, schema]) =>
        schema === undefined ? [] : [[`${part} of ${id}`, schema] as const],
      ),
    ),
  )('have the names of the domain in the %s', (_, schema) => {
    const { metadata, ...input } = camelCased(schema, sampleOf(schema as AnyNode)) as Record<string, unknown>;
    expect(JSON.stringify(input)).not.toContain('_');
    expect([undefined, { order_id: 1 }]).toContainEqual(metadata);
  });

  it('keep the keys of metadata as the merchant chose them', () => {
    const { body } = paymentOperations.createPayment;
    const sent = { client_ip: '203.0.113.7', customer: undefined, metadata: { order_id: 7 } };
    expect(camelCased(body, sent)).toEqual({ clientIp: '203.0.113.7', metadata: { order_id: 7 } });
  });

  it('keep their stored fingerprints, so that a deployment refuses no retry', { tags: 'slow' }, async () => {
    const service = await startInProcess();
    const { secret, merchant } = await newKey();
    const api = clientOf(secret, service.baseUrl, service.send);
    const amount = { type: 'fixed', fixed: { currency: 'THB', minor: 35_000 } };
    await api(paymentLinkOperations.createPaymentLink, { body: { max_uses: 12, amount } });
    const claims = (await storedItems(merchant)).filter(({ sk }) => sk === 'CLAIM');
    expect(claims.map(({ fingerprint }) => fingerprint)).toEqual([
      'b/kB83s88Nt6rqoGerEgNx2KqcYDT2raOG4a20mGXVI=',
    ]);
    await service.stop();
  });
});
