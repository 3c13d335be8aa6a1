import { type ConversionConfig, type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { entryOf } from '../errors/catalogue.ts';
import { docsOf, pathText, queryText, textOf } from './docs.ts';
import { EXAMPLES } from './examples.ts';
import type { AnySchema, Variants } from './fields.ts';
import { describeWebhooks, eventSchemas, type Json, type Schemas, schemaRef } from './openapi-webhooks.ts';
import { errorCodesOf, type Operation, pathParamsOf } from './operation.ts';
import { allOperations } from './operations.ts';
import { API_VERSIONS, NEWEST_VERSION } from './versions.ts';

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';
/** What a header says that holds a date; no `format: date`, for a generated client would send it with a time. */
const DATE = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' };
const LONG_ANSWERS: readonly string[] = [
  'service.GetOpenApi',
  'service.GetConsole',
  'checkout.GetPaymentQrPng',
];

/** Whether only the beginning of an answer is its example: there is more in it than anybody reads here. */
export function isLong({ id, success }: Pick<Operation, 'id' | 'success'>): boolean {
  return LONG_ANSWERS.includes(id) || 'orJson' in success;
}
const SAME_ID = 'Optional. If present, it must equal the id in the path.';
const PNG = 'image/png';
const ANY_OBJECT = { type: 'object', additionalProperties: true };

const CONVERSION: ConversionConfig = {
  errorMode: 'throw',
  target: 'draft-2020-12',
  // What these check is said by `v.metadata` beside them.
  ignoreActions: ['check', 'partial_check', 'raw_check', 'finite'],
  overrideRef: ({ referenceId }) => schemaRef(referenceId),
  overrideSchema: ({ valibotSchema, jsonSchema }) => inPlainWords(valibotSchema, jsonSchema),
};

/** The OpenAPI 3.1 document of the service: a loop over the table of operations, or what is served of it. */
export function buildOpenApi(baseUrl: string, rows: readonly Operation[] = allOperations): Json {
  const areas = [...new Set(rows.map(areaOf))];
  const schemas = describeSchemas(rows);
  const paths: Record<string, Json> = {};
  for (const row of rows) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: describeOperation(row, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payments',
      version: NEWEST_VERSION,
      summary: `Payments, refunds and payment links for Thailand${areas.includes('testkit') ? ', with a test kit' : ''}.`,
      description:
        'Amounts are integers in minor units. Every operation that changes something takes an `Idempotency-Key` and takes effect once, however often it is sent. Every error is an `application/problem+json` document whose `type` is the URL of a page that explains it.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl, description: 'This deployment' }],
    security: [{ apiKey: [] }],
    tags: [...areas, 'deliveries'].map((name) => ({
      name,
      description: AREA_TEXT[name],
    })),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas,
      parameters: PARAMETERS,
      headers: HEADERS,
      examples: problemExamples(rows),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key that begins with `pg_test_` or `pg_live_`.',
        },
      },
    },
  };
}

const AREA_TEXT: Readonly<Record<string, string>> = {
  payments: 'Money that payers pay, and refunds of it.',
  checkout: 'Payment links, and the pages on which payers choose a method and pay.',
  payouts: 'Money on its way to the bank account of the merchant.',
  settlements: 'What a provider owes for a day, and whether it states the same.',
  reports: 'What the money of a merchant adds up to: the balance, and sums by day.',
  events: 'What has happened, in order and without gaps: the same that webhooks send.',
  webhooks: 'Your own servers that receive events, and what became of each attempt to send one.',
  keys: 'The API key of the request.',
  testkit:
    'The test world: outcomes on demand, its clock, sinks, seeded data, the log of requests and the purge.',
  providers: 'Notifications from payment providers. Merchants do not call these.',
  deliveries: 'Events sent to webhook endpoints: at least once, in order for each resource.',
  service: 'The documentation, the document and the dashboard of the service.',
};

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'A new value for each operation, the same value for its retries. Responses are replayed for 24 hours.',
    // Bare, or the quoted form of the IETF draft. No example: a tool would send it twice, for two things.
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^(?:[!#-~](?:[ -~]*[!-~])?|"(?:[ !#-\\[\\]-~]|\\\\["\\\\])+")$',
    },
  },
  PgVersion: {
    name: 'PG-Version',
    in: 'header',
    required: false,
    description: `Date of the API version to use. Default: the version of the key. Published: ${API_VERSIONS.join(', ')}.`,
    schema: DATE,
    example: NEWEST_VERSION,
  },
} as const;

const HEADERS = {
  RequestId: { description: 'The id of this request, new for every response.', schema: { type: 'string' } },
  PgVersion: { description: 'The API version that was used.', schema: DATE },
  PgClock: {
    description: "Test mode only: the time on the merchant's clock.",
    schema: { type: 'string', format: 'date-time' },
  },
  IdempotentReplayed: {
    description: '`true` if this is the saved response of an earlier request.',
    schema: { type: 'string', enum: ['true'] },
  },
  OriginalRequestId: {
    description: 'On a replay: the id of the original request.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', format: 'int32' },
  },
  Location: { description: 'The URL to continue at.', schema: { type: 'string', format: 'uri-reference' } },
  WwwAuthenticate: { description: 'How to authenticate.', schema: { type: 'string', enum: ['Bearer'] } },
} as const;

function describeOperation(row: Operation, schemas: Schemas): Json {
  return {
    operationId: row.id.replace('.', '_'),
    ...docsOf(row),
    tags: [areaOf(row)],
    ...(row.permission === null ? { security: [] } : { 'x-permission': row.permission }),
    parameters: describeParameters(row),
    ...(hasBody(row) && {
      requestBody: {
        // A body that may be empty may be left out.
        required: mayBeEmpty(schemas[requestName(row)]) === false,
        content: {
          [JSON_TYPE]: {
            schema: { $ref: schemaRef(requestName(row)) },
            ...(row.example && { example: row.example }),
          },
        },
      },
    }),
    responses: describeResponses(row),
  };
}

function describeParameters(row: Operation): Json[] {
  const inPath = pathParamsOf(row).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: pathText(row.path, name),
    schema: { type: 'string' },
  }));
  const { query } = row.query === undefined ? {} : convert({ query: row.query }, 'input', {});
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    description: queryText(name),
    schema,
  }));
  return [
    ...inPath,
    ...inQuery,
    ...(row.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(row.permission === null ? [] : [{ $ref: '#/components/parameters/PgVersion' }]),
  ];
}

/** Every status that can be answered: success, what the row adds, and one of problems per status. */
function describeResponses(row: Operation): Json {
  const also = Object.entries(row.alsoResponds ?? {}).map(([status, text]) =>
    describeResponse(row, status, text),
  );
  const success = describeResponse(row, String(row.success.status), docsOf(row).summary, exampleOf(row));
  const byStatus = Object.groupBy([success, ...also, ...describeProblems(row)], ({ status }) => status);
  const merged = Object.entries(byStatus).map(([status, answers = []]) => [status, mergeResponses(answers)]);
  return Object.fromEntries(merged);
}

/** What the running service answered when the examples were recorded (`npm run examples`). */
function exampleOf(row: Operation): Json {
  const { id, success } = row;
  const value = EXAMPLES[id];
  const isBinary = 'contentType' in success && success.contentType === PNG;
  const summary = `The start of the response${isBinary ? ', in base64' : ''}.`;
  return isLong(row) ? { examples: { beginning: { summary, value } } } : { example: value };
}

interface Response {
  readonly status: string;
  readonly description: string;
  readonly headers: Json;
  readonly content: Json;
}

function mergeResponses(answers: readonly Response[]): Json {
  return {
    description: answers.map(({ description }) => description).join(' '),
    headers: Object.assign({}, ...answers.map(({ headers }) => headers)),
    content: Object.assign({}, ...answers.map(({ content }) => content)),
  };
}

function describeResponse(row: Operation, status: string, description: string, example?: Json): Response {
  return {
    status,
    description,
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...(status.startsWith('303') && { Location: headerRef('Location') }),
      ...(row.permission !== null && {
        'PG-Version': headerRef('PgVersion'),
        'PG-Clock': headerRef('PgClock'),
      }),
      ...(row.idempotent && {
        'Idempotent-Replayed': headerRef('IdempotentReplayed'),
        'Original-Request-Id': headerRef('OriginalRequestId'),
      }),
    },
    content: describeContent(row.success, example),
  };
}

function describeContent(success: Operation['success'], example: Json = {}): Json {
  if ('schema' in success) {
    return { [JSON_TYPE]: { schema: { $ref: schemaRef(success.name) }, ...example } };
  }
  const mediaType = success.contentType.replace(/;.*/, '');
  const text = { type: 'string', ...(mediaType === PNG && { format: 'binary' }) };
  const schema = mediaType === JSON_TYPE ? ANY_OBJECT : text;
  return {
    [mediaType]: { schema, ...example },
    ...(success.orJson && { [JSON_TYPE]: { schema: ANY_OBJECT } }),
  };
}

/** Whether an operation also answers in its own words where it answers a problem: a page, or what a sink was told. */
function answersBesides({ problems, alsoResponds = {}, success }: Operation, status: number): boolean {
  const isNegotiated = 'orJson' in success && status === 404;
  return problems === 'pages' || isNegotiated || `${Math.floor(status / 100)}XX` in alsoResponds;
}

/** One answer per status, with an example per code that has this status. */
function describeProblems(row: Operation): Response[] {
  const byStatus = Map.groupBy(errorCodesOf(row), (code) => entryOf(code).status);
  return [...byStatus].map(([status, codes]) => ({
    status: String(status),
    description: codes.map((code) => `\`${code}\`: ${entryOf(code).title}.`).join(' '),
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...(status === 401 && { 'WWW-Authenticate': headerRef('WwwAuthenticate') }),
      ...(codes.some((code) => entryOf(code).retryAfterSeconds !== undefined) && {
        'Retry-After': headerRef('RetryAfter'),
      }),
    },
    content: {
      ...(answersBesides(row, status) && describeContent({ ...row.success, orJson: false })),
      [PROBLEM_TYPE]: {
        schema: { $ref: schemaRef('Problem') },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }));
}

/** One example per code, which every operation that can answer it refers to. */
function problemExamples(rows: readonly Operation[]): Json {
  const codes = [...new Set(rows.flatMap(errorCodesOf))];
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title, advice } = entryOf(code);
      const type = `https://api.example.com/errors/${code}`;
      return [code, { value: { type, title, status, code, detail: advice } }];
    }),
  );
}

/** Every schema under its name, each with what it and its fields mean. */
function describeSchemas(rows: readonly Operation[]): Schemas {
  const schemas: Schemas = { ...PROBLEM_SCHEMAS };
  const bodies = rows.filter(hasBody).map((row) => [requestName(row), row.body] as const);
  const answers = rows.flatMap(({ success }) =>
    'schema' in success ? [[success.name, success.schema] as const] : [],
  );
  Object.assign(schemas, convert(Object.fromEntries(bodies), 'input', schemas));
  Object.assign(schemas, convert(Object.fromEntries(answers), 'output', schemas));
  const bodyIds = new Map(rows.map((row) => [requestName(row), row.bodyId]));
  const described = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeSchema(name, schema, bodyIds.get(name))]),
  );
  return Object.fromEntries(
    Object.entries({ ...described, ...eventSchemas(described) }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** @param bodyId the field that repeats the id of the path */
function describeSchema(name: string, schema: JsonSchema, bodyId?: string): JsonSchema {
  const described = Object.entries(schema.properties ?? {}).map(([field, inner]) => [
    field,
    { ...(inner as JsonSchema), description: field === bodyId ? SAME_ID : textOf(name, field) },
  ]);
  return {
    description: textOf(name),
    ...schema,
    ...(schema.properties !== undefined && { properties: Object.fromEntries(described) }),
  };
}

/** @param named where parts that have a name of their own go */
function convert(
  schemas: Record<string, v.GenericSchema>,
  typeMode: 'input' | 'output',
  named: Schemas,
): Schemas {
  const converted = toJsonSchemaDefs(schemas, { ...CONVERSION, typeMode });
  return liftComponents(converted, named) as Schemas;
}

/** Generators of clients know these words, and trip over those of which they take the place. */
function inPlainWords(schema: v.GenericSchema, json: JsonSchema): JsonSchema | undefined {
  switch (schema.type) {
    case 'literal':
      return { type: typeof json.const as 'string', enum: [json.const as string] };
    case 'picklist':
      return json.type === 'number' ? { ...json, type: 'integer', format: 'int32' } : undefined;
    case 'object':
      // An answer may get further fields one day, and a client must live with that.
      return { ...json, additionalProperties: true };
    case 'record':
      return Object.keys(json.additionalProperties ?? {}).length === 0
        ? { ...json, additionalProperties: true }
        : undefined;
    case 'variant':
      return {
        // Where null may stand in its place, generated Java reads that by this word alone, and no other tool minds it.
        'x-nullable': true,
        ...json,
        discriminator: { propertyName: (schema as unknown as { key: string }).key },
      } as JsonSchema;
    default:
      return undefined;
  }
}

/**
 * Takes every part that has a name (`component` of `fields.ts`) out of its place and refers to it there.
 * @throws Error where two different parts have one name
 */
function liftComponents(place: unknown, named: Schemas): unknown {
  if (Array.isArray(place)) {
    return place.map((inner) => liftComponents(inner, named));
  }
  if (typeof place !== 'object' || place === null) {
    return place;
  }
  const { variants, ...whole } = place as { variants?: Variants };
  const { component, ...rest } = Object.fromEntries(
    Object.entries(whole).map(([word, inner]) => [word, liftComponents(inner, named)]),
  );
  const lifted = mapVariants(variants === undefined ? rest : splitVariants(rest, variants, named), named);
  if (typeof component !== 'string') {
    return component === undefined ? lifted : { component, ...lifted };
  }
  if (JSON.stringify(named[component] ?? lifted) !== JSON.stringify(lifted)) {
    throw new Error(`two different schemas are called ${component}`);
  }
  named[component] = lifted;
  return { $ref: schemaRef(component) };
}

/** Makes one schema for each kind of an object, and a choice of them. */
function splitVariants({ properties = {} }: JsonSchema, variants: Variants, named: Schemas): Json {
  for (const [type, { name, takes, needs }] of Object.entries(variants)) {
    named[name] = {
      type: 'object',
      properties: {
        type: { type: 'string', enum: [type] },
        ...Object.fromEntries(takes.map((field) => [field, properties[field] ?? {}])),
      },
      required: ['type', ...needs],
      additionalProperties: false,
    };
  }
  const oneOf = Object.values(variants).map(({ name }) => ({ $ref: schemaRef(name) }));
  return { oneOf, discriminator: { propertyName: 'type' } };
}

/** Says which value of the discriminator means which variant. */
function mapVariants(schema: Json, named: Schemas): Json {
  const { discriminator, oneOf } = schema as {
    discriminator?: { propertyName: string };
    oneOf?: { $ref: string }[];
  };
  if (discriminator === undefined || oneOf === undefined) {
    return schema;
  }
  const { propertyName } = discriminator;
  const mapping = oneOf.map(({ $ref }) => {
    const variant = named[$ref.slice(schemaRef('').length)]?.properties?.[propertyName] as JsonSchema;
    return [variant.enum?.[0], $ref];
  });
  return { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

/** HTTP gives the body of a DELETE no meaning: an empty one is taken, and nobody needs to know. */
function hasBody(row: Operation): row is Operation & { readonly body: AnySchema } {
  return row.body !== undefined && row.method !== 'DELETE';
}

function mayBeEmpty(body: JsonSchema | undefined): boolean {
  return (body?.required ?? []).length === 0 && body?.anyOf === undefined;
}

/** Problem, as the interface has it (RFC 9457 with `code` and `errors`). */
const PROBLEM_SCHEMAS: Schemas = {
  Problem: {
    type: 'object',
    required: ['code', 'status', 'title'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer', format: 'int32' },
      code: { type: 'string' },
      detail: { type: 'string' },
      details: { type: 'object', additionalProperties: true },
      errors: { type: 'array', items: { $ref: schemaRef('FieldError') } },
      instance: { type: 'string' },
    },
    additionalProperties: true,
  },
  FieldError: {
    type: 'object',
    properties: { code: { type: 'string' }, field: { type: 'string' }, message: { type: 'string' } },
    additionalProperties: true,
  },
};

function areaOf(row: Operation): string {
  return row.id.slice(0, row.id.indexOf('.'));
}

function requestName(row: Operation): string {
  return `${row.id.slice(row.id.indexOf('.') + 1)}Request`;
}

function headerRef(name: keyof typeof HEADERS): Json {
  return { $ref: `#/components/headers/${name}` };
}
