import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { buildOpenApi } from '../../shared/contract/openapi.ts';
import { allOperations, withoutTestKit } from '../../shared/contract/operations.ts';
import { buildAsyncApi } from '../../shared/docs/async-api.ts';
import { EVENT_TYPES } from '../../shared/domain/resource.ts';

interface Message {
  readonly headers: { readonly required: readonly string[] };
  readonly payload: { readonly $ref: string };
  readonly examples: readonly { readonly headers: object; readonly payload: { readonly type: string } }[];
}
interface Document {
  readonly servers: Readonly<Record<string, { host: string; pathname?: string; protocol: string }>>;
  readonly channels: Readonly<Record<string, { address: string; messages: object }>>;
  readonly operations: Readonly<Record<string, { action: string; messages: readonly { $ref: string }[] }>>;
  readonly components: { readonly messages: Readonly<Record<string, Message>>; readonly schemas: object };
}

const SENT = [...EVENT_TYPES, 'webhook.ping'];
const of = (url: string, rows = allOperations) =>
  JSON.parse(JSON.stringify(buildAsyncApi(buildOpenApi(url, rows)))) as Document;
const document = of('http://127.0.0.1:8080/restapis/a/api');
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document');

test('the AsyncAPI document has a message for every event that is sent, at every receiver', () => {
  expect(Object.keys(document.components.messages)).toEqual(SENT);
  expect(Object.keys(document.channels)).toEqual(['endpoint', 'sink']);
  for (const [name, { messages }] of Object.entries(document.channels)) {
    expect(Object.keys(messages)).toEqual(SENT);
    const received = Object.values(document.operations).find(({ messages: [first] }) =>
      first?.$ref.startsWith(`#/channels/${name}/`),
    );
    expect(received?.action).toBe('receive');
    expect(received?.messages).toHaveLength(SENT.length);
  }
});

test('the AsyncAPI document names the deployment, and its sinks only where it has the test kit', () => {
  expect(document.servers.deployment).toMatchObject({
    host: '127.0.0.1:8080',
    pathname: '/restapis/a/api',
    protocol: 'http',
  });
  const live = of('https://pay.example.com', withoutTestKit(allOperations));
  expect(Object.keys(live.channels)).toEqual(['endpoint']);
  expect(Object.keys(live.operations)).toEqual(['receiveAtEndpoint']);
  expect(Object.keys(live.servers)).toEqual(['receiver']);
});

describe.each(Object.entries(document.components.messages))('the message %s', (type, message) => {
  const reference = (part: string) => ({ $ref: `document#/components/messages/${type}/${part}` });

  test('has an example whose body and headers are as it says', () => {
    const [example] = message.examples;
    expect(example?.payload.type).toBe(type);
    expect(ajv.validate(reference('payload'), example?.payload), ajv.errorsText()).toBe(true);
    expect(ajv.validate(reference('headers'), example?.headers), ajv.errorsText()).toBe(true);
    expect(ajv.validate(reference('headers'), {})).toBe(false);
    expect(ajv.validate(reference('payload'), { ...example?.payload, data: {} })).toBe(false);
  });

  test('has the headers of Standard Webhooks', () => {
    expect(message.headers.required).toEqual(
      expect.arrayContaining(['webhook-id', 'webhook-timestamp', 'webhook-signature']),
    );
  });
});

test('the AsyncAPI document has the schemas that its messages lead to, and no other', () => {
  const text = JSON.stringify(document);
  const names = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
  expect(Object.keys(document.components.schemas)).toEqual([...names].toSorted());
  expect(names).toContain('PaymentEvent');
  expect(names).not.toContain('CreatePaymentRequest');
});
