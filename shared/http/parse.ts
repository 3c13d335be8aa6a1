import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { AnySchema } from '../contract/fields.ts';
import { type Operation, pathParamsOf } from '../contract/operation.ts';
import type { World } from '../domain/world.ts';
import type { FieldError } from '../errors/field-error.ts';
import { FOREIGN_CURSOR, invalidFields, Problem } from '../errors/problem.ts';
import { type BodyKind, readText } from './body.ts';
import { type Call, callNow, onlyHeaderOf } from './call.ts';
import { type CamelCase, type CamelCased, camelCase, camelCased } from './camel-cased.ts';
import { toFieldErrors } from './field-errors.ts';
import { withoutNulls } from './left-out.ts';
import { openCursor } from './list-cursor.ts';
import { type JsonText, readJson } from './read-json.ts';

/** The longest body of any operation. */
export const BODY_MAX_BYTES = 64 * 1_024;
const JSON_BODY = {
  mediaType: 'application/json',
  maxBytes: BODY_MAX_BYTES,
  malformed: 'malformed_json',
} as const satisfies BodyKind;
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
/** An RFC 9651 string, the form in the IETF Idempotency-Key draft. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

type ParsedBody = Readonly<Record<string, unknown>>;

/** A body without the optional fields that are null. */
interface SentBody {
  readonly sent: ParsedBody;
  readonly inexact: JsonText['inexact'];
}

const NO_QUERY = v.strictObject({});
const NO_BODY: SentBody = { sent: {}, inexact: [] };
/** An empty body, which counts as `null`. */
const NOTHING: JsonText = { value: null, inexact: [] };

/** The parameters of a path: `/deliveries/{delivery_id}` gives `{ deliveryId: string }`. */
export type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [name in CamelCase<Name>]: string } & Params<Rest>
  : unknown;

type InputOf<Schema> = Schema extends v.GenericSchema
  ? CamelCased<v.InferOutput<Schema>>
  : Record<string, never>;
type IdempotencyKeyOf<Idempotent extends boolean> = Idempotent extends true ? string : null;

/** The parts of a request, checked by the row's schemas and named as the domain names them. */
interface CheckedParts<Row extends Operation> {
  readonly params: Params<Row['path']>;
  readonly query: InputOf<Row['query']>;
  readonly body: InputOf<Row['body']>;
  /** The body with the API's names. Stored fingerprints of requests are made from it. */
  readonly wireBody: unknown;
  readonly idempotencyKey: IdempotencyKeyOf<Row['idempotent']>;
}

/** A request that can be carried out, unless the same request was before. */
export type Input<Row extends Operation> = CheckedParts<Row> & {
  /** What is wrong with the body now, but was not when the same request was sent first: such as an end that has passed. */
  readonly errorsNow: readonly FieldError[];
};

/**
 * The steps of contract §2 from Idempotency-Key to validation.
 * @param world of the caller; null for operations without a key
 * @throws Problem of the step that fails; `validation_failed` with the errors of all fields
 */
export function parse<Row extends Operation>(row: Row, call: Call, world: World | null): Input<Row> {
  const { event } = call;
  const params = Object.fromEntries(
    pathParamsOf(row).map((name) => [camelCase(name), event.pathParameters?.[name] ?? '']),
  );
  const idempotencyKey = row.idempotent ? readIdempotencyKey(call) : null;
  const { sent, inexact } = row.body === undefined ? NO_BODY : readBody(call, row.body);
  const query = check(querySchemaOf(row), event.queryStringParameters ?? {});
  const body = check(row.body, sent);
  const asked = camelCased(row.query, query.output);
  const cursor = world === null ? undefined : Object(asked).after;
  const position =
    typeof cursor === 'string' && world !== null && query.errors.length === 0
      ? openCursor({ row, world, params, query: Object(asked) }, cursor)
      : undefined;
  const errors = [
    ...repeatedIn(row, event),
    ...query.errors,
    ...(position === null ? [FOREIGN_CURSOR] : []),
    ...(world === null
      ? []
      : (row.checkQuery?.(event.queryStringParameters ?? {}, callNow(call, world)) ?? [])),
    ...body.errors,
    ...errorsOfInexact(inexact, body.errors),
    ...checkBodyId(row, sent, params.id),
  ];
  const errorsNow = world === null ? [] : (row.checkBody?.(sent, callNow(call, world), world.mode) ?? []);
  if (errors.length > 0) {
    throw invalidFields([...errors, ...errorsNow]);
  }
  // The row's schemas made these values, but TypeScript cannot derive their types from `row`.
  const checked = {
    params,
    query: typeof position === 'string' ? { ...Object(asked), after: position } : asked,
    body: camelCased(row.body, body.output),
    wireBody: body.output,
    idempotencyKey,
  } as CheckedParts<Row>;
  return { ...checked, errorsNow };
}

/**
 * An operation with a key takes no query parameter that it does not have: one that means something to its sender would
 * be ignored. Anyone who shares the address of a page may add parameters, and so may the sender of a notification.
 */
function querySchemaOf({ query, permission }: Operation): AnySchema | undefined {
  return permission === null ? query : (query ?? NO_QUERY);
}

/** Errors for query parameters that were sent more than once: which value was meant is unknown. */
function repeatedIn(
  { query }: Operation,
  { multiValueQueryStringParameters }: APIGatewayProxyEvent,
): FieldError[] {
  // Not every valibot schema has `entries`, and the row's type does not say which do.
  const { entries = {} } = (query ?? {}) as { readonly entries?: object };
  return Object.keys(entries)
    .filter((field) => (multiValueQueryStringParameters?.[field]?.length ?? 0) > 1)
    .map((field) => ({ code: 'conflict', field, message: 'was sent more than once' }));
}

function readIdempotencyKey(call: Call): string {
  const sent = onlyHeaderOf(call, 'idempotency-key', 'idempotency_key_invalid');
  if (sent === undefined || sent.trim() === '') {
    throw new Problem('idempotency_key_missing');
  }
  const bare = sent.trim();
  const quoted = QUOTED.exec(bare)?.[1];
  const key = quoted === undefined ? bare : quoted.replace(/\\(["\\])/g, '$1');
  if (!IDEMPOTENCY_KEY.test(key) || (quoted === undefined && bare.startsWith('"'))) {
    throw new Problem('idempotency_key_invalid');
  }
  return key;
}

function readBody(call: Call, schema: AnySchema): SentBody {
  const text = readText(call, JSON_BODY);
  const { value, inexact } = text === '' ? NOTHING : readJson(text);
  const body = value ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw invalidFields([{ code: 'type', field: 'body', message: 'must be a JSON object' }]);
  }
  // A JSON object has only string keys.
  return { sent: withoutNulls(schema, body) as ParsedBody, inexact };
}

/** Errors for numbers that would be changed silently, unless their field, or what it is in, is refused anyway. */
function errorsOfInexact(inexact: JsonText['inexact'], others: readonly FieldError[]): FieldError[] {
  return inexact
    .map((path) => path.join('.'))
    .filter((inexactField) => !others.some(({ field }) => `${inexactField}.`.startsWith(`${field}.`)))
    .map((field) => ({
      code: 'format',
      field,
      message: 'has more digits than a number keeps; in metadata, send it as text',
    }));
}

function check(schema: Operation['body'], value: ParsedBody): { output: unknown; errors: FieldError[] } {
  if (schema === undefined) {
    return { output: {}, errors: [] };
  }
  const result = v.safeParse(schema, value);
  return { output: result.output, errors: toFieldErrors(schema, result.issues ?? [], value) };
}

function checkBodyId({ bodyId }: Operation, body: ParsedBody, pathId: string | undefined): FieldError[] {
  const sent = bodyId === undefined ? undefined : body[bodyId];
  return bodyId !== undefined && typeof sent === 'string' && sent !== pathId
    ? [{ code: 'mismatch', field: bodyId, message: 'must equal the id in the path' }]
    : [];
}
