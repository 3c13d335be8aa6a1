import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { DOCS, textOf } from '../../shared/contract/docs.ts';
import { EXAMPLES } from '../../shared/contract/examples.ts';
import { buildOpenApi, formsOf } from '../../shared/contract/openapi.ts';
import { errorCodesOf, type Operation, pathParamsOf } from '../../shared/contract/operation.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { METHODS } from '../../shared/domain/payment-method.ts';
import { EVENT_TYPES } from '../../shared/domain/resource.ts';
import { type ErrorCode, entryOf } from '../../shared/errors/catalogue.ts';
import type { FieldErrorCode } from '../../shared/errors/field-error.ts';
import { refusalsOf } from '../support/world/refusals.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}
type Reference = { readonly $ref: string };
interface Answer {
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: Readonly<
    Record<
      string,
      { schema: object; example?: unknown; examples?: Record<string, Reference | { value: object }> }
    >
  >;
}
interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    required: boolean;
    content: Record<string, { schema: Reference; example?: object }>;
  };
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Document {
  readonly servers: readonly { url: string }[];
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<Record<string, { post?: Described }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { properties?: Record<string, unknown>; required?: string[] }>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

const PROBLEM = 'application/problem+json';
const BASE_URL = 'https://pay.example.org/live';
const NOW = Date.UTC(2026, 10, 2);
const text = JSON.stringify(buildOpenApi(BASE_URL));
// The document as its readers get it: as JSON.
const document = JSON.parse(text) as Document;

function describedAs(row: Operation): Described {
  const described = document.paths[row.path]?.[row.method.toLowerCase()];
  if (described === undefined) {
    throw new Error(`the document has no ${row.method} ${row.path}`);
  }
  return described;
}

function follow<T extends object>(index: T | Reference): T {
  if (!('$ref' in index)) {
    return index;
  }
  const steps = index.$ref.replace('#/', '').split('/');
  return steps.reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], document) as T;
}

function parametersOf(row: Operation, where: string): Parameter[] {
  return describedAs(row)
    .parameters.map((parameter) => follow<Parameter>(parameter as Parameter))
    .filter((parameter) => parameter.in === where);
}

function answerOf(row: Operation, status: number): Answer {
  const answer = describedAs(row).responses[status];
  if (answer === undefined) {
    throw new Error(`${row.id} does not answer ${status}`);
  }
  return answer;
}

async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

describe('the OpenAPI document', () => {
  it('has no fault that a strict linter finds', async () => {
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

describe.each(allOperations)('in the document, $id', (row) => {
  const described = describedAs(row);

  it('is protected exactly if it requires a permission', () => {
    expect(described.security ?? document.security).toEqual(row.permission === null ? [] : [{ apiKey: [] }]);
    expect(described).toMatchObject(row.permission === null ? {} : { 'x-permission': row.permission });
  });

  it('has the parameters of its path, its query and its headers', () => {
    expect(parametersOf(row, 'path')).toMatchObject(
      pathParamsOf(row).map((name) => ({ name, required: true })),
    );
    const query = row.query as { entries?: object } | undefined;
    expect(parametersOf(row, 'query').map(({ name }) => name)).toEqual(Object.keys(query?.entries ?? {}));
    expect(parametersOf(row, 'header')).toMatchObject([
      ...(row.idempotent ? [{ name: 'Idempotency-Key', required: true }] : []),
      ...(row.permission === null ? [] : [{ name: 'PG-Version', required: false }]),
    ]);
  });

  it('gives a default only if it is a value that the parameter can have', () => {
    const types = parametersOf(row, 'query').filter(({ schema }) => schema.default !== undefined);
    const wrong = types.filter(
      ({ schema }) => (schema.type === 'integer') !== Number.isInteger(schema.default),
    );
    expect(wrong).toEqual([]);
  });

  it('has its success response, with the request id and the version', () => {
    const { headers, content } = answerOf(row, row.success.status);
    const expected = [
      'X-Request-Id',
      ...(row.permission === null ? [] : ['PG-Version', 'PG-Clock']),
      ...(row.idempotent ? ['Idempotent-Replayed', 'Original-Request-Id'] : []),
    ];
    expect(Object.keys(headers).toSorted()).toEqual(expected.toSorted());
    const [mediaType] = ('schema' in row.success ? 'application/json' : row.success.contentType).split(';');
    expect(Object.keys(content)).toEqual([
      mediaType,
      ...('orJson' in row.success ? ['application/json'] : []),
    ]);
    expect(follow(content[mediaType ?? '']?.schema ?? {})).toHaveProperty('type');
  });

  it('shows a response of the running service, or the start of a long one', () => {
    const { content } = answerOf(row, row.success.status);
    for (const { mediaType, name, isLong } of formsOf(row)) {
      const value = EXAMPLES[name];
      expect(value).toBeTruthy();
      expect(content[mediaType]).toMatchObject(
        isLong ? { examples: { beginning: { value } } } : { example: value },
      );
    }
  });

  it('shows every error code that it can return under its status', () => {
    const shown = Object.entries(described.responses).flatMap(([status, { content }]) =>
      Object.keys(content[PROBLEM]?.examples ?? {}).map((code) => `${status} ${code}`),
    );
    const expected = errorCodesOf(row).map((code) => `${entryOf(code).status} ${code}`);
    expect(shown.toSorted()).toEqual(expected.toSorted());
  });

  it('shows of every error what the catalogue says', () => {
    for (const code of errorCodesOf(row)) {
      const { status, title } = entryOf(code);
      const { examples } = answerOf(row, status).content[PROBLEM] ?? {};
      expect(follow(examples?.[code] ?? {})).toMatchObject({
        value: { code, status, title, type: expect.stringMatching(`/errors/${code}$`) },
      });
    }
  });

  it('declares a problem for every other status, and what is refused before it is read', () => {
    const { responses } = described;
    expect(responses.default?.content[PROBLEM]).toEqual({ schema: { $ref: '#/components/schemas/Problem' } });
    const pages = row.problems === 'pages' ? ['text/html'] : [];
    expect(Object.keys(responses.default?.content ?? {})).toEqual([...pages, PROBLEM]);
    expect(responses.default?.headers).toHaveProperty('X-Request-Id');
    for (const code of ['malformed_request', 'request_timeout', 'expectation_failed', 'headers_too_large']) {
      expect(answerOf(row, entryOf(code as ErrorCode).status).content[PROBLEM]?.examples).toHaveProperty(
        code,
      );
    }
  });

  it('names the headers of refusals: which request, how to authenticate, how long to wait', () => {
    for (const code of errorCodesOf(row)) {
      const { status, retryAfterSeconds } = entryOf(code);
      const { headers } = answerOf(row, status);
      expect(headers).toHaveProperty('X-Request-Id');
      expect('WWW-Authenticate' in headers).toBe(status === 401);
      expect(retryAfterSeconds !== undefined && !('Retry-After' in headers)).toBe(false);
    }
  });
});

/** HTTP gives the body of a DELETE no meaning, so the document has none. */
const rowsWithBody = allOperations.filter(({ body, method }) => body !== undefined && method !== 'DELETE');

describe.each(rowsWithBody)('in the document, the body of $id', (row) => {
  const content = describedAs(row).requestBody?.content['application/json'];

  it('is optional exactly if the operation accepts an empty one, and has an example', () => {
    const isEmptyRefused = refusalsOf(row, {}).length + (row.checkBody?.({}, NOW, 'test') ?? []).length > 0;
    expect(describedAs(row).requestBody?.required).toBe(isEmptyRefused);
    expect(content?.example).toEqual(row.example);
    expect(follow(content?.schema ?? {})).toMatchObject({ type: 'object' });
  });

  it('has an example that the operation accepts', () => {
    expect(refusalsOf(row, row.example)).toEqual([]);
    expect(row.checkBody?.(row.example ?? {}, NOW, 'test') ?? []).toEqual([]);
    expect(v.is(row.body as NonNullable<Operation['body']>, row.example)).toBe(true);
  });
});

describe.each(allOperations.filter(({ alsoResponds }) => alsoResponds !== undefined))(
  'in the document, $id',
  (row) => {
    it('has its other statuses in its own media type, and says when', () => {
      const { responses } = describedAs(row) as unknown as { responses: Record<string, Answer & Text> };
      const mediaType = 'contentType' in row.success ? row.success.contentType.replace(/;.*/, '') : '';
      for (const [status, text] of Object.entries(row.alsoResponds ?? {})) {
        expect(responses[status]?.description).toContain(text);
        expect(Object.keys(responses[status]?.content ?? {})).toContain(mediaType);
      }
    });
  },
);

describe.each(allOperations.filter(({ problems }) => problems === 'pages'))('in the document, $id', (row) => {
  it('reports errors by a page, or by a problem of the gateway', () => {
    const { responses } = describedAs(row) as unknown as { responses: Record<string, Answer> };
    const wrong = Object.entries(responses).filter(([status]) => status >= '400');
    expect(wrong.map(([status]) => status)).toEqual(expect.arrayContaining(['404', '429', '500', '503']));
    for (const [, { content }] of wrong) {
      expect(Object.keys(content ?? {})).toContain('text/html');
    }
  });
});

interface Text {
  readonly description?: string;
}

/** The parts of a schema that these tests check. */
interface Schema extends Text {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Record<string, string> };
  readonly oneOf?: readonly Schema[];
}

/** Not schemas, though they may look like one: examples and defaults. */
const VALUES = ['example', 'examples', 'default', 'enum', 'mapping'];

/** Every object of a part of the document, with the path to it. */
function* partsOf(part: unknown, index = '#'): Generator<readonly [string, Record<string, unknown>]> {
  if (typeof part !== 'object' || part === null) {
    return;
  }
  if (!Array.isArray(part)) {
    yield [index, part as Record<string, unknown>];
  }
  for (const [word, inner] of Object.entries(part)) {
    if (!VALUES.includes(word) || index.endsWith('/properties')) {
      yield* partsOf(inner, `${index}/${word}`);
    }
  }
}

/** Every schema of a part of the document, including referenced ones. */
function schemasIn(part: unknown, seen = new Set<string>()): [string, Schema][] {
  return [...partsOf(part)].flatMap(([index, schema]) => {
    const { $ref } = schema as Schema;
    if ($ref === undefined || !$ref.startsWith('#/components/schemas/')) {
      return [[index, schema as Schema]];
    }
    const isNew = !seen.has($ref);
    seen.add($ref);
    return isNew ? schemasIn(follow(schema as Reference), seen).map(([at, one]) => [$ref + at, one]) : [];
  });
}

const parts = [...partsOf(document)];
const schemas = Object.entries(document.components.schemas) as [string, Schema][];
const operationParts = allOperations.map(describedAs);
const requested = schemasIn(operationParts.map(({ requestBody }) => requestBody));
const answered = schemasIn(operationParts.map(({ responses }) => responses));

describe('for generators of clients, the document', () => {
  it('states the width of every integer: 64 bits for money and values above 2^31', () => {
    const integers = parts.filter(([, { type }]) => type === 'integer') as unknown as [string, Schema][];
    expect(integers.length).toBeGreaterThan(40);
    const wrong = integers.filter(([index, { format, maximum = 0, enum: members = [] }]) => {
      const isLarge =
        /minor$|sequence$/.test(index) || maximum >= 2 ** 31 || members.some((one) => Number(one) >= 2 ** 31);
      return format !== 'int64' && (isLarge || format !== 'int32');
    });
    expect(wrong).toEqual([]);
    expect(
      parts.filter(([, { type, format }]) => type === 'number' && format === undefined).length,
    ).toBeLessThan(3);
  });

  it('describes every schema and every field', () => {
    const fields = parts.filter(
      ([index]) => /\/properties\/\w+$/.test(index) && !/\/properties\/properties$/.test(index),
    );
    expect(fields.length).toBeGreaterThan(300);
    expect(fields.filter(([, field]) => !isSaid(field)).map(([index]) => index)).toEqual([]);
    const silent = schemas.flatMap(([name, schema]) => [
      ...(isSaid(schema) ? [] : [name]),
      ...Object.entries(schema.properties ?? {}).flatMap(([field, inner]) =>
        isSaid(inner) ? [] : [`${name}.${field}`],
      ),
    ]);
    expect(silent).toEqual([]);
  });

  it('has the fields of an object only in a schema with a name', () => {
    const indexes = parts.filter(([, part]) => typeof part.properties === 'object').map(([index]) => index);
    expect(
      indexes.filter((index) => !/^#\/components\/schemas\/\w+(\/dependentSchemas\/\w+)?$/.test(index)),
    ).toEqual([]);
  });

  it('describes every parameter and every header', () => {
    const { parameters, headers } = document.components as unknown as Record<string, Record<string, Text>>;
    const inPlace = operationParts.flatMap((row) => row.parameters).filter((one) => !('$ref' in one));
    const all = [...inPlace, ...Object.values({ ...parameters }), ...Object.values({ ...headers })];
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter((one) => !isSaid(one as Text))).toEqual([]);
  });

  it.each(Object.entries(METHODS))('says how long a payer has with %s', (method, { minutes }) => {
    const said = textOf('CreatePaymentRequest', 'expires_in_minutes');
    expect(said).toMatch(new RegExp(`\\b${minutes.toLocaleString('en')} for [a-z_, ]*\\b${method}\\b`));
  });

  it('describes no operation, schema, field or parameter that does not exist', () => {
    const named = Object.entries(DOCS.schemas).flatMap(([name, fields]) =>
      Object.keys(fields).map((field) => `${name}.${field}`),
    );
    const described = { ...DOCS, schemas: Object.fromEntries(named.map((name) => [name, name])) };
    const existing: Readonly<Record<keyof typeof DOCS, readonly (string | undefined)[]>> = {
      operations: Object.keys(operations),
      schemas: schemas.flatMap(([schema, { properties = {} }]) =>
        [schema, schema.replace(/.+Page$/, 'Page'), '*'].flatMap((name) =>
          ['about', ...Object.keys(properties)].map((field) => `${name}.${field}`),
        ),
      ),
      queries: allOperations.flatMap((row) => parametersOf(row, 'query').map(({ name }) => name)),
      paths: allOperations.flatMap(({ path }) =>
        [...path.matchAll(/(?=\/([^/]+\/\{\w+\}))/g)].map(([, segment]) => segment),
      ),
      events: [...EVENT_TYPES, 'webhook.ping'],
    };
    const unknown = Object.entries(existing).flatMap(([kind, names]) =>
      Object.keys(described[kind as keyof typeof DOCS]).filter((name) => !names.includes(name)),
    );
    expect(named.length).toBeGreaterThan(350);
    expect(unknown).toEqual([]);
  });

  it('lists every code of a field error, as the contract does', () => {
    const codes = Object.keys(FIELD_ERROR_CODES).map((code) => `\`${code}\``);
    const [last] = codes.slice(-1);
    expect(textOf('FieldError', 'code')).toContain(`: ${codes.slice(0, -1).join(', ')} or ${last}.`);
    expect(readFileSync('shared/CONTRACT.md', 'utf8')).toContain(`one of the codes ${codes.join(', ')}.`);
  });

  it('lets responses have further fields, and requests none', () => {
    const objects = (all: [string, Schema][]) =>
      all.filter(([index, { properties }]) => properties !== undefined && !/dependentSchemas/.test(index));
    expect(objects(requested).length).toBeGreaterThan(15);
    expect(
      objects(requested).filter(([, { additionalProperties }]) => additionalProperties !== false),
    ).toEqual([]);
    expect(objects(answered).length).toBeGreaterThan(25);
    expect(objects(answered).filter(([, { additionalProperties }]) => additionalProperties !== true)).toEqual(
      [],
    );
    const { details } = document.components.schemas.Problem?.properties ?? {};
    expect(details).toMatchObject({ type: 'object', additionalProperties: true });
  });

  it('has one money schema for every amount', () => {
    const inline = parts.filter(([, { properties }]) => Object.hasOwn((properties as object) ?? {}, 'minor'));
    expect(inline.map(([index]) => index).toSorted()).toEqual([
      '#/components/schemas/Money',
      '#/components/schemas/MoneyInput',
      '#/components/schemas/StatedAmount',
    ]);
    const amounts = schemas.flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, schema]) =>
        /(^|_)amount$/.test(field) && name !== 'CreatePaymentLinkRequest'
          ? [[`${name}.${field}`, schema]]
          : [],
      ),
    );
    expect(amounts.length).toBeGreaterThan(8);
    const others = amounts.filter(
      ([, schema]) => !/"#\/components\/schemas\/(Money(Input)?|StatedAmount)"/.test(JSON.stringify(schema)),
    );
    expect(others).toEqual([]);
  });

  it('has no schema that is known to break client generators', () => {
    const choices = parts.filter(([, part]) => 'anyOf' in part || 'oneOf' in part);
    expect(
      choices.filter(([, { type, properties }]) => type !== undefined && properties === undefined),
    ).toEqual([]);
    expect(parts.filter(([, part]) => 'const' in part)).toEqual([]);
    const enums = parts.filter(([index, part]) => Array.isArray(part.enum) && !/\/not$/.test(index));
    expect(enums.filter(([, { type }]) => typeof type !== 'string')).toEqual([]);
    const dates = parts.filter(
      ([index, { format }]) => format === 'date' && !index.startsWith('#/components/schemas/'),
    );
    expect(dates).toEqual([]);
  });

  it("names the discriminator of every union of responses, and each value's meaning", () => {
    const choices = schemas.filter(([, { oneOf }]) => oneOf !== undefined);
    expect(choices.map(([name]) => name)).toEqual(
      expect.arrayContaining(['NextAction', 'PaymentLinkAmount']),
    );
    for (const [, { oneOf = [], discriminator }] of choices) {
      const { propertyName = '', mapping = {} } = discriminator ?? {};
      expect(Object.values(mapping).toSorted()).toEqual(oneOf.map(({ $ref }) => $ref).toSorted());
      for (const [value, $ref] of Object.entries(mapping)) {
        expect(follow<Schema>({ $ref }).properties?.[propertyName]).toMatchObject({ enum: [value] });
      }
    }
  });

  it('has no external reference that a generator would have to fetch', () => {
    const outside = parts.filter(
      ([, { $ref, externalValue }]) =>
        externalValue !== undefined || ($ref !== undefined && !/^#\//.test(String($ref))),
    );
    expect(outside).toEqual([]);
    expect(text).not.toContain('"externalValue"');
  });

  it('has no two named enumerations that share a value: generated Go constants would clash', () => {
    const values = schemas.flatMap(([, one]) => one.enum ?? []);
    expect(values).toContain('promptpay');
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  });

  it('has no example of an Idempotency-Key: a tool would send it for two different requests', () => {
    const { parameters } = document.components as unknown as Record<string, Record<string, object>>;
    const { IdempotencyKey = {} } = parameters ?? {};
    expect(JSON.stringify(IdempotencyKey)).not.toMatch(/"(example|examples|default)"/);
    expect(
      new RegExp((IdempotencyKey as { schema: { pattern: string } }).schema.pattern).test(randomUUID()),
    ).toBe(true);
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

  it('name the headers of Standard Webhooks and that of the attempt', () => {
    const names = Object.values(webhooks).map(({ post }) =>
      post.parameters.map((one) => 'name' in one && one.name),
    );
    const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'webhook-attempt'];
    expect(names.filter((one) => JSON.stringify(one) !== JSON.stringify(signed))).toEqual([]);
  });
});

/** All of them: one that is missing here does not compile. */
const FIELD_ERROR_CODES: Readonly<Record<FieldErrorCode, true>> = {
  required: true,
  type: true,
  format: true,
  too_long: true,
  too_short: true,
  min: true,
  max: true,
  enum: true,
  unknown: true,
  mismatch: true,
  conflict: true,
  forbidden: true,
};

function isSaid({ description = '' }: Text): boolean {
  return /^[^\s].*[.:]$|`$/.test(description) && description.length > 8;
}

describe('the version of the document', () => {
  it('is the newest one of the API', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { version: NEWEST_VERSION },
    });
  });
});
