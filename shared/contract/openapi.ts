import { type ConversionConfig, type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { type ErrorCode, entryOf } from '../errors/catalogue.ts';
import { errorCodesOf, type Operation, pathParamsOf } from './operation.ts';
import { allOperations } from './operations.ts';
import { API_VERSIONS, NEWEST_VERSION } from './versions.ts';

type Json = Record<string, unknown>;

const CONVERSION: ConversionConfig = {
  errorMode: 'throw',
  target: 'draft-2020-12',
  // What these check is said by `v.metadata` beside them.
  ignoreActions: ['check', 'finite'],
  overrideRef: ({ referenceId }) => schemaRef(referenceId),
};

/** The OpenAPI 3.1 document of the service: a loop over the table of operations. */
export function buildOpenApi(baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const row of allOperations) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: describeOperation(row) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payments',
      version: NEWEST_VERSION,
      summary: 'Payments, refunds and payment links for Thailand, with a test kit.',
      description:
        'Amounts are integers in minor units. Every operation that changes something takes an `Idempotency-Key` and takes effect once, however often it is sent. Every error is an `application/problem+json` document whose `type` is the address of a page that explains it.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl, description: 'This deployment' }],
    security: [{ apiKey: [] }],
    tags: areas().map((name) => ({ name, description: AREA_TEXT[name] ?? `Operations of ${name}.` })),
    paths,
    components: {
      schemas: { ...requestSchemas(), ...answerSchemas(), Problem: problemSchema() },
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key that begins with `pg_test_` or `pg_live_`.',
        },
      },
    },
  };
}

const AREA_TEXT: Readonly<Record<string, string>> = {
  payments: 'Payments and their refunds.',
  checkout: 'Payment links, and what payers see.',
  service: 'The service about itself.',
};

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'New for each thing you want done, the same for its retries. Answers are replayed for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '01890a5d-ac96-774b-bcce-b302099a8057',
  },
  PgVersion: {
    name: 'PG-Version',
    in: 'header',
    required: false,
    description: `Date of the API version to use; by default that of the key. Published: ${API_VERSIONS.join(', ')}.`,
    schema: { type: 'string', format: 'date' },
    example: NEWEST_VERSION,
  },
} as const;

const HEADERS = {
  RequestId: { description: 'The id of this request, new for every answer.', schema: { type: 'string' } },
  PgVersion: { description: 'The API version that was used.', schema: { type: 'string', format: 'date' } },
  PgClock: { description: "Test mode only: the time on the merchant's clock.", schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` where this is the saved answer of an earlier request.',
    schema: { type: 'string', enum: ['true'] },
  },
  OriginalRequestId: {
    description: 'On a replay: the request that made the answer.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
  WwwAuthenticate: { description: 'How to authenticate.', schema: { type: 'string', enum: ['Bearer'] } },
} as const;

function describeOperation(row: Operation): Json {
  const area = areaOf(row);
  return {
    operationId: row.id.replace('.', '_'),
    summary: row.summary,
    ...(row.description !== undefined && { description: row.description }),
    tags: [area],
    ...(row.permission === null ? { security: [] } : { 'x-permission': row.permission }),
    parameters: describeParameters(row),
    ...(row.body !== undefined && {
      requestBody: {
        required: false,
        content: {
          'application/json': {
            schema: { $ref: schemaRef(requestName(row)) },
            ...(row.example && { example: row.example }),
          },
        },
      },
    }),
    responses: { [row.success.status]: describeSuccess(row), ...describeProblems(row) },
  };
}

function describeParameters(row: Operation): Json[] {
  const inPath = pathParamsOf(row).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const headers = [
    ...(row.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(row.permission === null ? [] : [{ $ref: '#/components/parameters/PgVersion' }]),
  ];
  return [...inPath, ...describeQuery(row), ...headers];
}

function describeQuery(row: Operation): Json[] {
  if (row.query === undefined) {
    return [];
  }
  const { query } = convert({ query: row.query }, 'input') as { query: { properties?: Json } };
  return Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
}

function describeSuccess(row: Operation): Json {
  const { success } = row;
  const content =
    'schema' in success
      ? { 'application/json': { schema: { $ref: schemaRef(success.name) } } }
      : { [success.contentType.replace(/;.*/, '')]: { schema: { type: 'string' } } };
  return {
    description: row.summary,
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...(row.permission !== null && {
        'PG-Version': headerRef('PgVersion'),
        'PG-Clock': headerRef('PgClock'),
      }),
      ...(row.idempotent && {
        'Idempotent-Replayed': headerRef('IdempotentReplayed'),
        'Original-Request-Id': headerRef('OriginalRequestId'),
      }),
    },
    content,
  };
}

/** One answer per status, with an example per code that has this status. */
function describeProblems(row: Operation): Json {
  const byStatus = Map.groupBy(errorCodesOf(row), (code) => entryOf(code).status);
  const answers = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${entryOf(code).title}.`).join(' '),
        headers: {
          'X-Request-Id': headerRef('RequestId'),
          ...(status === 401 && { 'WWW-Authenticate': headerRef('WwwAuthenticate') }),
          ...(codes.some((code) => entryOf(code).retryAfterSeconds !== undefined) && {
            'Retry-After': headerRef('RetryAfter'),
          }),
        },
        content: {
          'application/problem+json': {
            schema: { $ref: schemaRef('Problem') },
            examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }])),
          },
        },
      },
    ]);
  return Object.fromEntries(answers);
}

function problemExample(code: ErrorCode): Json {
  const { status, title, advice } = entryOf(code);
  return { type: `https://api.example.com/errors/${code}`, title, status, code, detail: advice };
}

function requestSchemas(): Json {
  const bodies = allOperations.flatMap((row) =>
    row.body === undefined ? [] : [[requestName(row), row.body] as const],
  );
  return convert(Object.fromEntries(bodies), 'input');
}

function answerSchemas(): Json {
  const answers = allOperations.flatMap(({ success }) =>
    'schema' in success ? [[success.name, success.schema] as const] : [],
  );
  return convert(Object.fromEntries(answers), 'output');
}

function convert(
  schemas: Record<string, v.GenericSchema>,
  typeMode: 'input' | 'output',
): Record<string, JsonSchema> {
  return toJsonSchemaDefs(schemas, { ...CONVERSION, typeMode });
}

/** Problem, as the interface has it (RFC 9457 with `code` and `errors`). */
function problemSchema(): Json {
  const string = { type: 'string' };
  return {
    type: 'object',
    required: ['code', 'status', 'title'],
    properties: {
      type: { type: 'string', description: 'The address of the page that explains the code.' },
      title: string,
      status: { type: 'integer' },
      code: string,
      detail: { type: 'string', description: 'What to do about it.' },
      details: { type: 'object' },
      errors: {
        type: 'array',
        items: { type: 'object', properties: { code: string, field: string, message: string } },
      },
      instance: { type: 'string', description: 'urn:request: and the request id.' },
    },
  };
}

function areas(): string[] {
  return [...new Set(allOperations.map(areaOf))];
}

function areaOf(row: Operation): string {
  return row.id.slice(0, row.id.indexOf('.'));
}

function requestName(row: Operation): string {
  return `${row.id.slice(row.id.indexOf('.') + 1)}Request`;
}

function schemaRef(name: string): string {
  return `#/components/schemas/${name}`;
}

function headerRef(name: keyof typeof HEADERS): Json {
  return { $ref: `#/components/headers/${name}` };
}
