import type { DocumentedOperation, OpenApiDocument, SchemaInDocument } from '../contract/openapi-document.ts';
import { catalogue, type ErrorCode, entryOf } from '../errors/catalogue.ts';
import { methodNameOf } from '../story/commands.ts';
import { GUIDES } from './guides.ts';
import { nameIn } from './service-document.ts';

export const DOCS_KINDS = ['guide', 'operation', 'object', 'event', 'error'] as const;
export type DocsKind = (typeof DOCS_KINDS)[number];

/** A page of the documentation, as lists and the search show it. */
export interface DocsEntry {
  readonly kind: DocsKind;
  /** The name in its address. */
  readonly name: string;
  readonly title: string;
  /** From the root of the service. */
  readonly path: string;
  /** What it says in a sentence or two; the search reads it, too. */
  readonly text: string;
  /** What else it is about, which only the search reads: the fields of an operation or an object, the text of a guide. */
  readonly more: string;
  /** Among its kind: the area of an operation, the resource of an event. */
  readonly group: string;
}

/** An operation of the document, with its route. */
export interface PlacedOperation extends DocumentedOperation {
  readonly method: string;
  readonly path: string;
}

/** Every operation by its name: `createPayment`. */
export function operationsIn({ paths }: OpenApiDocument): ReadonlyMap<string, PlacedOperation> {
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  return new Map(placed.map((operation) => [nameOfOperation(operation), operation]));
}

/** `createPayment` of `payments.CreatePayment`, as clients name it. */
export function nameOfOperation({ operationId: id }: Pick<DocumentedOperation, 'operationId'>): string {
  return methodNameOf({ id });
}

/** The page of an operation: `/docs/api/payments.CreatePayment`. */
export function pathOfOperation({ operationId }: Pick<DocumentedOperation, 'operationId'>): string {
  return `/docs/api/${operationId}`;
}

/** The guides: the part of the contents that needs no document. */
export function guideEntries(): DocsEntry[] {
  return GUIDES.map(({ name, title, summary: text, markdown: more }) => ({
    kind: 'guide' as const,
    name,
    title,
    text,
    more,
    path: `/docs/${name}`,
    group: '',
  }));
}

/** Every page of the documentation, in the order in which it is shown. */
export function contentsOf(document: OpenApiDocument): DocsEntry[] {
  const operations = [...operationsIn(document)].map(([name, { summary, description = '', ...row }]) => ({
    kind: 'operation' as const,
    name,
    title: summary,
    text: `${row.method} ${row.path}. ${description}`,
    more: fieldsSent(document, row),
    path: pathOfOperation(row),
    group: row.tags[0] ?? '',
  }));
  const objects = Object.entries(document.components.schemas).map(
    ([name, { description = '', ...schema }]) => ({
      kind: 'object' as const,
      name,
      title: name,
      text: description,
      more: namesIn(schema),
      path: `/docs/objects/${name}`,
      group: '',
    }),
  );
  const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
    kind: 'event' as const,
    name: type,
    title: type,
    text: post.description ?? '',
    more: '',
    path: `/docs/events/${type}`,
    group: type.slice(0, type.indexOf('.')),
  }));
  const errors = (Object.keys(catalogue) as ErrorCode[]).map((code) => ({
    kind: 'error' as const,
    name: code,
    title: code,
    text: `${entryOf(code).title}. ${entryOf(code).advice}`,
    more: '',
    path: `/errors/${code}`,
    group: String(entryOf(code).status),
  }));
  return [...guideEntries(), ...operations, ...objects, ...events, ...errors];
}

/** The names of what a caller sends: in the path and the query, and in the body with the objects within it. */
function fieldsSent(
  { components }: OpenApiDocument,
  { parameters, requestBody }: Pick<PlacedOperation, 'parameters' | 'requestBody'>,
): string {
  const body = requestBody?.content['application/json']?.schema;
  const schemas = body?.$ref === undefined ? [] : [components.schemas[nameIn(body.$ref)] ?? {}];
  const inner = schemas
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .map(
      ([field, { $ref }]) =>
        `${field} ${$ref === undefined ? '' : namesIn(components.schemas[nameIn($ref)])}`,
    );
  return [...parameters.flatMap(({ name }) => name ?? []), ...inner].join(' ');
}

/** The names of the fields and the values of an object. */
function namesIn({ properties = {}, enum: values = [] }: SchemaInDocument = {}): string {
  return [...Object.keys(properties), ...values].join(' ');
}
