import { describe, expect, test } from 'vitest';
import type { Operation } from '../../shared/contract/operation.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../shared/domain/clock.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { acceptableRequest, moveClock } from '../support/world/resources.ts';

interface Given {
  /** Values for the fields that the row's example leaves out. */
  readonly besides?: Readonly<Record<string, unknown>>;
  /** How fields are shown that are not shown as they were given. */
  readonly shown?: Readonly<Record<string, object>>;
}

const TOMORROW = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
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
  [
    operations.createTestWorld,
    {
      besides: { starts_at: `${TOMORROW}T03:04:05.000Z`, profile: 'small' },
      shown: {
        ttl_minutes: { expires_at: expect.any(String) },
        starts_at: { clock: { now: expect.stringMatching(TOMORROW) } },
        // What is in the world then.
        profile: {},
      },
    },
  ],
  [operations.forkTestWorld, { shown: { ttl_minutes: { expires_at: expect.any(String) } } }],
];
/** The fields of these name what they do, and their result says it. */
const ACTIONS: readonly Operation[] = [
  operations.seedTestData,
  operations.simulatePayment,
  operations.simulatePayout,
  operations.simulateRefund,
];

test('every operation with fields that its response has is tried here', () => {
  const keeping = allOperations.filter((row) => {
    const shown = 'schema' in row.success ? entriesOf(row.success.schema) : [];
    return fieldsOf(row).some((field) => field !== row.bodyId && shown.includes(field));
  });
  const tried = [...ROWS.map(([row]) => row), ...ACTIONS].map(({ id }) => id);
  expect(keeping.map(({ id }) => id).toSorted()).toEqual(tried.toSorted());
});

/** What happens to what was created, in turn. @returns it, as it is then */
const LIVES: Readonly<Record<string, readonly ((api: Client, id: string) => Promise<unknown>)[]>> = {
  [operations.createPayment.id]: [
    async (api, id) => (await api(operations.getPayment, { params: { id } })).json,
    async (api, id) => {
      await api(operations.simulatePayment, { params: { id }, body: { outcome: 'succeeded' } });
      return (await api(operations.getPayment, { params: { id } })).json;
    },
  ],
  [operations.requestRefund.id]: [
    async (api, id) => {
      await moveClock(api, HOUR_MS / SECOND_MS);
      const { json } = await api(operations.getRefund, { params: { id } });
      expect(json.status).toBe('processing');
      return json;
    },
    async (api, id) => {
      await api(operations.simulateRefund, { params: { id }, body: { outcome: 'succeeded' } });
      return (await api(operations.getRefund, { params: { id } })).json;
    },
  ],
  [operations.createPaymentLink.id]: [
    async (api, id) => {
      await api(operations.disablePaymentLink, { params: { id } });
      return (await api(operations.getPaymentLink, { params: { id } })).json;
    },
  ],
};

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
    const expectGiven = (response: unknown) => {
      for (const [field, value] of Object.entries(body)) {
        expect(response).toMatchObject(shown[field] ?? { [field]: value });
      }
    };
    expectGiven(json);
    const { id } = json as { readonly id: string };
    for (const live of LIVES[row.id] ?? []) {
      expectGiven(await live(api, id));
    }
  });
});

/** Operations whose body names other things: none so far, and the next one is tried without being named here. */
const NAMING = ROWS.flatMap(([row]) =>
  fieldsOf(row)
    .filter((field) => field.endsWith('_id') && field !== row.bodyId)
    .map((field) => [row.id, field, row] as const),
);

test.each(NAMING)('%s refuses a %s of nothing', async (_id, field, row) => {
  const { api } = await newMerchant();
  const { body, ...request } = await acceptableRequest(row, api);
  for (const id of ['zzz', 'pay_01h455vb4pex5vsknk084sn02q']) {
    const { status } = await api(row, { ...request, body: { ...(body as object), [field]: id } });
    expect([404, 422]).toContain(status);
  }
});

function fieldsOf({ body }: Operation): string[] {
  return body === undefined ? [] : entriesOf(body);
}

function entriesOf(schema: object): string[] {
  const object = 'pipe' in schema ? (schema.pipe as readonly object[])[0] : schema;
  return object !== undefined && 'entries' in object ? Object.keys(object.entries as object) : [];
}
