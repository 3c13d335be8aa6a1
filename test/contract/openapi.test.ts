import { createConfig, lintFromString } from '@redocly/openapi-core';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../shared/contract/openapi.ts';
import { errorCodesOf, type Operation, pathParamsOf } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { entryOf } from '../../shared/errors/catalogue.ts';
import { refusalsOf } from '../support/refusals.ts';

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
    Record<string, { schema: object; examples?: Record<string, { value: object }> }>
  >;
}
interface Described {
  readonly operationId: string;
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
  readonly components: {
    readonly schemas: Readonly<Record<string, { properties?: Record<string, unknown>; required?: string[] }>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

const BASE_URL = 'https://pay.example.org/live';
const NOW = Date.UTC(2026, 10, 2);
const text = JSON.stringify(buildOpenApi(BASE_URL));
// What a reader of the document has: nothing that JSON cannot say.
const document = JSON.parse(text) as Document;

function describedAs(row: Operation): Described {
  const described = document.paths[row.path]?.[row.method.toLowerCase()];
  if (described === undefined) {
    throw new Error(`the document has no ${row.method} ${row.path}`);
  }
  return described;
}

function follow<T extends object>(place: T | Reference): T {
  if (!('$ref' in place)) {
    return place;
  }
  const steps = place.$ref.replace('#/', '').split('/');
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

  it('is read by that linter: a fault that is put into it is found', async () => {
    const broken = text.replace(
      '"operationId":"payments_CancelPayment"',
      '"operationId":"payments_CreatePayment"',
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

  it('names this deployment as the server', () => {
    expect(document.servers).toMatchObject([{ url: BASE_URL }]);
  });

  it('asks for a bearer key unless an operation says otherwise', () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('requires of a problem what the interface requires', () => {
    const { required, properties } = document.components.schemas.Problem ?? {};
    expect(required?.toSorted()).toEqual(['code', 'status', 'title']);
    const names = 'code detail details errors instance status title type'.split(' ');
    expect(Object.keys(properties ?? {}).toSorted()).toEqual(names);
  });

  it.each([
    [
      'CreatePaymentRequest',
      'amount checkout client_ip customer description expires_in_minutes metadata method reference return_url',
    ],
    ['RequestRefundRequest', 'amount payment_id reason reason_code'],
    ['CancelPaymentRequest', 'payment_id'],
    ['CancelRefundRequest', 'refund_id'],
    ['CreatePaymentLinkRequest', 'amount collect description expires_at max_uses metadata return_url'],
    ['DisablePaymentLinkRequest', 'link_id'],
    ['CreateWebhookSinkRequest', 'name'],
    ['UpdateWebhookSinkRequest', 'fail_count respond_status sink_id'],
    ['SimulatePaymentRequest', 'amount delay_seconds event_id outcome payment_id result_code'],
    ['SimulateRefundRequest', 'delay_seconds event_id outcome refund_id result_code'],
    ['SimulatePayoutRequest', 'outcome payout_id return_reason'],
    ['SimulateSettlementRequest', 'amount provider value_date'],
    ['AdvanceClockRequest', 'seconds'],
  ])('shows in %s the fields of the interface and no others', (name, fields) => {
    const schema = document.components.schemas[name];
    expect(Object.keys(schema?.properties ?? {}).toSorted()).toEqual(fields.split(' '));
    expect(schema).toMatchObject({ additionalProperties: false });
  });
});

describe.each(allOperations)('in the document, $id', (row) => {
  const described = describedAs(row);

  it('is protected exactly where it asks for a permission', () => {
    expect(described.security ?? document.security).toEqual(row.permission === null ? [] : [{ apiKey: [] }]);
    expect(described).toMatchObject(row.permission === null ? {} : { 'x-permission': row.permission });
  });

  it('takes the parameters of its path, its query and its headers', () => {
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

  it('gives a default only where it is a value that the parameter can have', () => {
    const types = parametersOf(row, 'query').filter(({ schema }) => schema.default !== undefined);
    const wrong = types.filter(
      ({ schema }) => (schema.type === 'integer') !== Number.isInteger(schema.default),
    );
    expect(wrong).toEqual([]);
  });

  it('answers its success, and says of which request and version it is', () => {
    const { headers, content } = answerOf(row, row.success.status);
    const expected = [
      'X-Request-Id',
      ...(row.permission === null ? [] : ['PG-Version', 'PG-Clock']),
      ...(row.idempotent ? ['Idempotent-Replayed', 'Original-Request-Id'] : []),
    ];
    expect(Object.keys(headers).toSorted()).toEqual(expected.toSorted());
    const [mediaType] = ('schema' in row.success ? 'application/json' : row.success.contentType).split(';');
    expect(Object.keys(content)).toEqual([mediaType]);
    expect(follow(content[mediaType ?? '']?.schema ?? {})).toHaveProperty('type');
  });

  it('shows every error code that it can answer under its status', () => {
    const shown = Object.entries(described.responses).flatMap(([status, { content }]) =>
      Object.keys(content['application/problem+json']?.examples ?? {}).map((code) => `${status} ${code}`),
    );
    const expected = errorCodesOf(row).map((code) => `${entryOf(code).status} ${code}`);
    expect(shown.toSorted()).toEqual(expected.toSorted());
  });

  it('shows of every error what the catalogue says', () => {
    for (const code of errorCodesOf(row)) {
      const { status, title } = entryOf(code);
      const { examples } = answerOf(row, status).content['application/problem+json'] ?? {};
      expect(examples?.[code]?.value).toMatchObject({
        code,
        status,
        title,
        type: expect.stringMatching(`/errors/${code}$`),
      });
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

const rowsWithBody = allOperations.filter(({ body }) => body !== undefined);

describe.each(rowsWithBody)('in the document, the body of $id', (row) => {
  const content = describedAs(row).requestBody?.content['application/json'];

  it('may be left out and shows an example', () => {
    expect(describedAs(row).requestBody?.required).toBe(false);
    expect(content?.example).toEqual(row.example);
    expect(follow(content?.schema ?? {})).toMatchObject({ type: 'object' });
  });

  it('has an example that the operation takes', () => {
    expect(refusalsOf(row, row.example)).toEqual([]);
    expect(row.checkBody?.(row.example ?? {}, NOW) ?? []).toEqual([]);
    expect(v.is(row.body as NonNullable<Operation['body']>, row.example)).toBe(true);
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
