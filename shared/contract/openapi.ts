import { type ConversionConfig, type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { entryOf } from '../errors/catalogue.ts';
import { DOCS, docsOf, pathText, textOf } from './docs.ts';
import { EXAMPLES } from './examples.ts';
import type { AnySchema, Variants } from './fields.ts';
import type {
  Content,
  DocumentedOperation,
  DocumentResponse,
  OpenApiDocument,
  SchemaInDocument,
} from './openapi-document.ts';
import { describeWebhooks, eventSchemas, type Schemas, schemaRef } from './openapi-webhooks.ts';
import { errorCodesOf, type Operation, pathParamsOf } from './operation.ts';
import { allOperations, type operations } from './operations.ts';
import { API_VERSIONS, NEWEST_VERSION } from './versions.ts';

const JSON_TYPE = 'application/json';
const HTML_TYPE = 'text/html';
const MARKDOWN_TYPE = 'text/markdown';
const PROBLEM_TYPE = 'application/problem+json';
/** A date in a header. A pattern and no `format: date`, because generated clients would send that with a time. */
const DATE = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' };
/** The documents that are longer than an example should be. Of a page that is also JSON, the JSON is meant. */
const LONG_RESPONSES: readonly string[] = [
  'service.GetOpenApi',
  'service.GetAsyncApi',
  'service.GetPostmanCollection',
  'service.GetHttpFile',
  'service.GetLlmsText',
  'service.GetDocs',
  'service.GetGuide',
  'service.GetOperationDocs',
  'service.GetObjectDocs',
  'service.GetEventDocs',
  'service.GetErrorPages',
  'checkout.GetPaymentQrPng',
  'testkit.GetScenarioSchema',
  'testkit.GetExamSchema',
];

/**
 * The forms in which an operation responds: the media type without parameters, the name of its example, and whether that
 * has only the start, because the whole is too long to read.
 * @internal
 */
export function formsOf({ id, success }: Pick<Operation, 'id' | 'success'>) {
  const json = { mediaType: JSON_TYPE, name: id, isLong: LONG_RESPONSES.includes(id) };
  if ('schema' in success) {
    return [json];
  }
  const mediaType = success.contentType.replace(/;.*/, '');
  const own = { ...json, mediaType, isLong: json.isLong || mediaType === HTML_TYPE };
  return [
    own,
    ...(success.orJson ? [{ ...json, name: `${id} as JSON` }] : []),
    ...(success.orMarkdown ? [{ ...json, mediaType: MARKDOWN_TYPE, name: `${id} as Markdown` }] : []),
  ];
}
const SAME_ID = 'Optional. If present, it must equal the id in the path.';
const PNG = 'image/png';
const ANY_OBJECT = { type: 'object', additionalProperties: true };

const CONVERSION: ConversionConfig = {
  errorMode: 'throw',
  target: 'draft-2020-12',
  // The `v.metadata` beside each of these describes what it checks.
  ignoreActions: ['check', 'partial_check', 'raw_check', 'finite'],
  overrideRef: ({ referenceId }) => schemaRef(referenceId),
  overrideSchema: ({ valibotSchema, jsonSchema }) => withSupportedKeywords(valibotSchema, jsonSchema),
};

/** The OpenAPI 3.1 document: a loop over the table of operations, or over the rows that a deployment serves. */
export function buildOpenApi(baseUrl: string, rows: readonly Operation[] = allOperations): OpenApiDocument {
  const areas = [...new Set(rows.map(areaOf))];
  const schemas = describeSchemas(rows);
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
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
    tags: ([...areas, 'deliveries'] as const).map((name) => ({
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

type AreaOf<Id> = Id extends `${infer Area}.${string}` ? Area : never;
/** The first word of an operation's id. An area without a text does not compile. */
type Area = AreaOf<(typeof operations)[keyof typeof operations]['id']>;
const AREA_TEXT: Readonly<Record<Area | 'deliveries', string>> = {
  payments: 'Payments by payers, and their refunds.',
  checkout: 'Payment links, and the pages on which payers choose a method and pay.',
  payouts: 'Money on its way to the bank account of the merchant.',
  settlements: 'What a provider states that it owes, compared with the expected amount.',
  reports: 'The balance of a merchant, and sums by day.',
  events: 'Every event, in order and without gaps, as webhooks send it.',
  webhooks: 'Your servers that receive events, and the log of attempts to deliver them.',
  keys: 'The API key of the request.',
  testkit:
    'The test world: outcomes on demand, its clock, sinks, seeded data, the log of requests and the purge.',
  providers: 'Notifications from payment providers. Merchants do not call these.',
  deliveries: 'Events that are sent to webhook endpoints: at least once, in order for each resource.',
  service: 'The documentation, the OpenAPI document and the dashboard.',
};

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'A new value for each operation, the same value for its retries. Responses are replayed for 24 hours.',
    // Bare, or the quoted form of the IETF draft. No example: tools would send the same key for different requests.
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

function describeOperation(row: Operation, schemas: Schemas): DocumentedOperation {
  return {
    operationId: row.id,
    ...docsOf(row),
    tags: [areaOf(row)],
    ...(row.permission === null ? { security: [] } : { 'x-permission': row.permission }),
    parameters: describeParameters(row),
    ...(hasBody(row) && {
      requestBody: {
        // A body without required fields is optional.
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

function describeParameters(row: Operation): DocumentedOperation['parameters'] {
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
    description: DOCS.queries[name],
    schema,
  }));
  return [
    ...inPath,
    ...inQuery,
    ...(row.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(row.permission === null ? [] : [{ $ref: '#/components/parameters/PgVersion' }]),
  ];
}

/** The responses by status: success, the statuses that the row adds, and the problems. */
function describeResponses(row: Operation): DocumentedOperation['responses'] {
  const also = Object.entries(row.alsoResponds ?? {}).map(([status, text]) =>
    describeResponse(row, status, text),
  );
  const success = describeResponse(row, String(row.success.status), docsOf(row).summary);
  const byStatus = Object.groupBy([success, ...also, ...describeProblems(row)], ({ status }) => status);
  const merged = Object.entries(byStatus).map(([status, responses = []]) => [
    status,
    mergeResponses(responses),
  ]);
  return { ...Object.fromEntries(merged), default: anyOther(row) };
}

/** Firewalls and proxies on the way have statuses of their own: clients read these, too. */
function anyOther(row: Operation): DocumentResponse {
  return {
    description: 'Any other problem.',
    headers: { 'X-Request-Id': headerRef('RequestId') },
    content: {
      ...(row.problems === 'pages' && describeContent(row)),
      [PROBLEM_TYPE]: { schema: { $ref: schemaRef('Problem') } },
    },
  };
}

/** The response that was recorded from the running service (`npm run examples`). */
function exampleOf({ mediaType, name, isLong }: ReturnType<typeof formsOf>[number]): Partial<Content> {
  const value = EXAMPLES[name];
  const summary = `The start of the response${mediaType === PNG ? ', in base64' : ''}.`;
  return isLong ? { examples: { beginning: { summary, value } } } : { example: value };
}

interface Response {
  readonly status: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content: Readonly<Record<string, Content>>;
}

function mergeResponses(responses: readonly Response[]): DocumentResponse {
  return {
    description: responses.map(({ description }) => description).join(' '),
    headers: Object.assign({}, ...responses.map(({ headers }) => headers)),
    content: Object.assign({}, ...responses.map(({ content }) => content)),
  };
}

function describeResponse(row: Operation, status: string, description: string): Response {
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
    content: describeContent(row, { hasExamples: status.startsWith('2') }),
  };
}

function describeContent(
  row: Operation,
  { hasExamples = false, forms = formsOf(row) } = {},
): Response['content'] {
  const described = forms.map((form) => [
    form.mediaType,
    { schema: schemaOf(row, form.mediaType), ...(hasExamples && exampleOf(form)) },
  ]);
  return Object.fromEntries(described);
}

function schemaOf({ success }: Operation, mediaType: string): SchemaInDocument {
  if ('schema' in success) {
    return { $ref: schemaRef(success.name) };
  }
  return mediaType === JSON_TYPE
    ? ANY_OBJECT
    : { type: 'string', ...(mediaType === PNG && { format: 'binary' }) };
}

/** Whether a problem can also be in the media type of the success: on a page, or in the response of a sink. */
function respondsInOwnType({ problems, alsoResponds = {}, success }: Operation, status: number): boolean {
  const isNegotiated = 'orJson' in success && status === 404;
  return problems === 'pages' || isNegotiated || `${Math.floor(status / 100)}XX` in alsoResponds;
}

/** One response per status, with an example of each code that has this status. */
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
      ...(respondsInOwnType(row, status) && describeContent(row, { forms: formsOf(row).slice(0, 1) })),
      [PROBLEM_TYPE]: {
        schema: { $ref: schemaRef('Problem') },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }));
}

/** One example per code. Every operation that can respond with the code refers to it. */
function problemExamples(rows: readonly Operation[]): OpenApiDocument['components']['examples'] {
  const codes = [...new Set(rows.flatMap(errorCodesOf))];
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title, advice } = entryOf(code);
      const type = `https://api.example.com/errors/${code}`;
      return [code, { value: { type, title, status, code, detail: advice } }];
    }),
  );
}

/** Every schema by name, with the descriptions of it and of its fields. */
function describeSchemas(rows: readonly Operation[]): Schemas {
  const schemas: Schemas = { ...PROBLEM_SCHEMAS };
  const bodies = rows.filter(hasBody).map((row) => [requestName(row), row.body] as const);
  const responses = rows.flatMap(({ success }) =>
    'schema' in success ? [[success.name, success.schema] as const] : [],
  );
  Object.assign(schemas, convert(Object.fromEntries(bodies), 'input', schemas));
  Object.assign(schemas, convert(Object.fromEntries(responses), 'output', schemas));
  const bodyIds = new Map(rows.map((row) => [requestName(row), row.bodyId]));
  const described = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeSchema(name, schema, bodyIds.get(name))]),
  );
  return Object.fromEntries(
    Object.entries({ ...described, ...eventSchemas(described) }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** @param bodyId the field that repeats the id of the path */
function describeSchema(name: string, schema: SchemaInDocument, bodyId?: string): SchemaInDocument {
  const described = Object.entries(schema.properties ?? {}).map(([field, inner]) => [
    field,
    { ...inner, description: field === bodyId ? SAME_ID : textOf(name, field) },
  ]);
  return {
    description: textOf(name),
    ...schema,
    ...(schema.properties !== undefined && { properties: Object.fromEntries(described) }),
  };
}

/** @param named receives the parts that have a name of their own */
function convert(
  schemas: Record<string, v.GenericSchema>,
  typeMode: 'input' | 'output',
  named: Schemas,
): Schemas {
  const converted = toJsonSchemaDefs(schemas, { ...CONVERSION, typeMode });
  return liftComponents(converted, named) as Schemas;
}

/** Replaces keywords that generators of clients do not support by keywords that they do. */
function withSupportedKeywords(schema: v.GenericSchema, json: JsonSchema): JsonSchema | undefined {
  switch (schema.type) {
    case 'literal':
      return { type: typeof json.const as 'string', enum: [json.const as string] };
    case 'picklist':
      return json.type === 'number' ? { ...json, type: 'integer', format: 'int32' } : undefined;
    case 'object':
      // Responses may get more fields: clients must accept unknown ones.
      return { ...json, additionalProperties: true };
    case 'record':
      return Object.keys(json.additionalProperties ?? {}).length === 0
        ? { ...json, additionalProperties: true }
        : undefined;
    case 'variant':
      return {
        // Generated Java reads only this keyword to allow null; other tools ignore it.
        'x-nullable': true,
        ...json,
        ...('key' in schema && { discriminator: { propertyName: schema.key } }),
      } as JsonSchema;
    default:
      return undefined;
  }
}

/**
 * Moves every part that has a name (`component` of `fields.ts`) to `named`, and leaves a reference to it.
 * @throws Error if two different parts have the same name
 */
function liftComponents(part: unknown, named: Schemas): unknown {
  if (Array.isArray(part)) {
    return part.map((inner) => liftComponents(inner, named));
  }
  if (typeof part !== 'object' || part === null) {
    return part;
  }
  const { variants, ...whole } = part as { variants?: Variants };
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

/** One schema for each kind of the object, and a `oneOf` of them. */
function splitVariants(
  { properties = {} }: SchemaInDocument,
  variants: Variants,
  named: Schemas,
): SchemaInDocument {
  for (const [type, { name, allowed, required }] of Object.entries(variants)) {
    named[name] = {
      type: 'object',
      properties: {
        type: { type: 'string', enum: [type] },
        ...Object.fromEntries(allowed.map((field) => [field, properties[field] ?? {}])),
      },
      required: ['type', ...required],
      additionalProperties: false,
    };
  }
  const oneOf = Object.values(variants).map(({ name }) => ({ $ref: schemaRef(name) }));
  return { oneOf, discriminator: { propertyName: 'type' } };
}

/** Maps each value of the discriminator to its variant. */
function mapVariants(schema: SchemaInDocument, named: Schemas): SchemaInDocument {
  const { discriminator, oneOf } = schema;
  if (discriminator === undefined || oneOf === undefined) {
    return schema;
  }
  const { propertyName } = discriminator;
  const mapping = oneOf.map(({ $ref = '' }) => {
    const variant = named[$ref.slice(schemaRef('').length)]?.properties?.[propertyName];
    return [variant?.enum?.[0], $ref];
  });
  return { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

/** The body of a DELETE has no meaning in HTTP: an empty one is accepted, and not documented. */
function hasBody(row: Operation): row is Operation & { readonly body: AnySchema } {
  return row.body !== undefined && row.method !== 'DELETE';
}

function mayBeEmpty(body: SchemaInDocument | undefined): boolean {
  return (body?.required ?? []).length === 0 && body?.anyOf === undefined;
}

/** RFC 9457 with `code`, `details` and `errors` (contract §2). */
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

function areaOf(row: Operation): Area {
  // Cast: every row is in the table of operations.
  return row.id.slice(0, row.id.indexOf('.')) as Area;
}

function requestName(row: Operation): string {
  return `${row.id.slice(row.id.indexOf('.') + 1)}Request`;
}

function headerRef(name: keyof typeof HEADERS): object {
  return { $ref: `#/components/headers/${name}` };
}
