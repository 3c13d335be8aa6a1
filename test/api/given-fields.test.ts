import { describe, expect, test } from 'vitest';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { DAY_MS } from '../../shared/domain/clock.ts';
import { newMerchant } from '../support/world/api.ts';
import { acceptableRequest } from '../support/world/resources.ts';

interface Given {
  /** Values for the fields that the row's example leaves out. */
  readonly besides?: Readonly<Record<string, unknown>>;
  /** How fields are shown that are not shown as they were given. */
  readonly shown?: Readonly<Record<string, object>>;
}

const RETURN_URL = { return_url: 'https://shop.example.com/thanks' };
/** The operations whose body becomes what they return. */
const ROWS: readonly (readonly [Operation, Given])[] = [
  [
    operations.createPayment,
    {
      besides: { checkout: true, client_ip: '203.0.113.7', expires_in_minutes: 30, ...RETURN_URL },
      shown: {
        checkout: { checkout_url: expect.stringMatching(/^http/) },
        // The provider gets it.
        client_ip: {},
        customer: {
          customer_email: 'somchai@example.com',
          customer_name: 'Somchai Jaidee',
          customer_phone: '+66812345678',
        },
        expires_in_minutes: { expires_at: expect.any(String) },
      },
    },
  ],
  [
    operations.createPaymentLink,
    {
      besides: {
        expires_at: new Date(Date.now() + DAY_MS).toISOString(),
        metadata: { cart: 'c_77' },
        ...RETURN_URL,
      },
      shown: {
        amount: { amount_type: 'fixed', amount: { currency: 'THB', minor: 35_000 } },
        collect: { collect_email: 'required' },
      },
    },
  ],
  [operations.requestRefund, {}],
  [operations.createWebhookEndpoint, { besides: { description: 'orders' } }],
  [
    operations.updateWebhookEndpoint,
    {
      besides: { url: 'https://shop.example.com/other', events: ['refund.*'] },
      shown: { enabled: { status: 'disabled' } },
    },
  ],
  [operations.createWebhookSink, {}],
  [operations.updateWebhookSink, {}],
];

describe.each(ROWS.map(([row, given]) => [row.id, row, given] as const))('%s', (_id, row, given) => {
  test('shows every field that it takes, with the value that was given', async () => {
    const { besides = {}, shown = {} } = given;
    const { api } = await newMerchant();
    const { body: example, ...request } = await acceptableRequest(row, api);
    const body = { ...(example as object), ...besides };
    // A field in the path names what the operation is about.
    const taken = fieldsOf(row).filter((field) => field !== row.bodyId);
    expect(Object.keys(body).toSorted()).toEqual(taken.toSorted());
    const { json } = await api(row, { ...request, body });
    for (const [field, value] of Object.entries(body)) {
      expect(json).toMatchObject(shown[field] ?? { [field]: value });
    }
  });
});

function fieldsOf({ body }: Operation): string[] {
  const object = body !== undefined && 'pipe' in body ? (body.pipe as readonly object[])[0] : body;
  return object !== undefined && 'entries' in object ? Object.keys(object.entries as object) : [];
}
