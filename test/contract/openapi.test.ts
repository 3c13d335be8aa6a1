import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { allOperations } from '../../shared/contract/operations.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { EVENT_TYPES } from '../../shared/domain/resource.ts';
import {
  BASE_URL,
  type Described,
  describedAs,
  document,
  follow,
  type Schema,
  text,
} from '../support/tools/openapi-document.ts';

async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

describe('the OpenAPI document', () => {
  it('has no fault that a strict linter finds', { tags: 'slow' }, async () => {
    expect(await lint(text)).toEqual([]);
  });

  it('is read by that linter, which finds a fault that is put into it', { tags: 'slow' }, async () => {
    const broken = text.replace(
      '"operationId":"payments.CancelPayment"',
      '"operationId":"payments.CreatePayment"',
    );
    expect(await lint(broken)).toEqual([expect.stringMatching(/^operation-operationId-unique/)]);
  });

  it('has every operation of the table and no other', () => {
    const addresses = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(addresses.toSorted()).toEqual(
      allOperations.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
  });

  it('names every operation as the interface does, and every delivery in the same form', () => {
    expect(allOperations.map((row) => describedAs(row).operationId)).toEqual(
      allOperations.map(({ id }) => id),
    );
    const all = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap(
      Object.values,
    );
    for (const { operationId, tags } of all as Described[]) {
      expect(operationId).toMatch(/^[a-z]+\.[A-Z][A-Za-z]+$/);
      expect(tags).toEqual([operationId.split('.')[0]]);
    }
    expect(document.webhooks['payment_link.created']?.post?.operationId).toBe(
      'deliveries.PaymentLinkCreated',
    );
  });

  it('names this deployment as the server', () => {
    expect(document.servers).toMatchObject([{ url: BASE_URL }]);
  });

  it('requires a bearer key unless an operation says otherwise', () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('requires the code, the status and the title of a problem', () => {
    const { required, properties } = document.components.schemas.Problem ?? {};
    expect(required?.toSorted()).toEqual(['code', 'status', 'title']);
    const names = 'code detail details errors instance status title type'.split(' ');
    expect(Object.keys(properties ?? {}).toSorted()).toEqual(names);
  });

  it.each([
    ['ResetReport', 'status reason'],
    ['SeedReport', 'profile'],
  ])('takes for %s any text as %s', (name, fields) => {
    for (const field of fields.split(' ')) {
      expect(document.components.schemas[name]?.properties?.[field]).toEqual({
        type: 'string',
        description: expect.any(String),
      });
    }
  });

  it.each(
    allOperations.flatMap(({ id, method, body }) =>
      method !== 'DELETE' && body !== undefined && 'entries' in body
        ? [{ id, entries: Object(body.entries) }]
        : [],
    ),
  )('shows in the body of $id exactly its fields', ({ id, entries }) => {
    const schema = document.components.schemas[`${id.slice(id.indexOf('.') + 1)}Request`];
    expect(Object.keys(schema?.properties ?? {})).toEqual(Object.keys(entries));
  });
});

/** Every success of the document that is JSON: where it stands, and what it declares. */
const jsonSuccesses = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, responses }]) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const json = content['application/json'];
      const index = `#/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}/content/application~1json/schema`;
      return status.startsWith('2') && json !== undefined
        ? [{ name: `${operationId} ${status}`, index: encodeURI(index), json }]
        : [];
    }),
  ),
);

describe('every JSON success', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document');

  it.each(jsonSuccesses)('$name has an example that is valid and not empty', ({ index, json }) => {
    const shown = json.example ?? (json.examples?.beginning as { value: object } | undefined)?.value;
    expect(Object.keys(shown ?? {})).not.toEqual([]);
    expect(ajv.validate({ $ref: `document${index}` }, shown), ajv.errorsText()).toBe(true);
  });

  it('of pages, too, which people and programs read', () => {
    const pages = allOperations.filter(({ success }) => 'orJson' in success).map(({ id }) => id);
    const shown = jsonSuccesses.map(({ name }) => name);
    expect(shown).toEqual(expect.arrayContaining(pages.map((id) => `${id} 200`)));
    expect(pages.length).toBeGreaterThan(0);
  });
});

describe('in the document, the webhooks', () => {
  const { webhooks } = document as unknown as {
    webhooks: Record<string, { post: Described & { description: string } }>;
  };

  it('are those of every event, and a ping', () => {
    expect(Object.keys(webhooks)).toEqual([...EVENT_TYPES, 'webhook.ping']);
  });

  it('say when each event occurs', () => {
    const texts = Object.values(webhooks).map(({ post: { description } }) => description);
    expect(texts.filter((text) => !/^[A-Z].{20,}\.$/.test(text))).toEqual([]);
  });

  it.each(EVENT_TYPES)('have the resource of %s as its retrieval returns it', (type) => {
    const { requestBody } = webhooks[type]?.post ?? {};
    expect(requestBody?.required).toBe(true);
    const event = follow<Schema>(requestBody?.content['application/json']?.schema ?? {});
    expect(event.properties?.type?.enum).toContain(type);
    const data = follow<Schema>(event.properties?.data ?? {});
    const kind = type.replace(/\..*/, '').replaceAll('_', '');
    const reading = allOperations.find(({ id }) => id.toLowerCase().endsWith(`.get${kind}`));
    const name = reading !== undefined && 'schema' in reading.success ? reading.success.name : 'nothing';
    // A resource in an event has no secret, which its retrieval may show.
    expect(data.properties?.object?.$ref).toBe(`#/components/schemas/${name.replace(/^Retrieved/, '')}`);
  });

  it('name the headers of Standard Webhooks, that of the attempt and that of the trace', () => {
    const names = Object.values(webhooks).map(({ post }) =>
      post.parameters.map((one) => 'name' in one && one.name),
    );
    const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const all = [...signed, 'webhook-attempt', 'traceparent'];
    expect(names.filter((one) => JSON.stringify(one) !== JSON.stringify(all))).toEqual([]);
  });
});

describe('the version of the document', () => {
  it('is the newest one of the API', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { version: NEWEST_VERSION },
    });
  });
});
