import { catalogue, type ErrorCode, entryOf } from '../errors/catalogue.ts';
import { GUIDES } from './guides.ts';
import type { DocumentedOperation, ServiceDocument } from './service-document.ts';

export const DOCS_KINDS = ['guide', 'operation', 'object', 'event', 'error'] as const;
export type DocsKind = (typeof DOCS_KINDS)[number];

/** A page of the documentation, as lists and the search show it. */
export interface DocsEntry {
  readonly kind: DocsKind;
  /** As its address names it. */
  readonly name: string;
  readonly title: string;
  /** From the root of the service. */
  readonly path: string;
  /** What it says in a sentence or two; the search reads it, too. */
  readonly text: string;
  /** Among its kind: the area of an operation, the resource of an event. */
  readonly group: string;
}

/** An operation of the document, with its route. */
export interface PlacedOperation extends DocumentedOperation {
  readonly method: string;
  readonly path: string;
}

/** Every operation by its name: `createPayment`. */
export function operationsIn({ paths }: ServiceDocument): ReadonlyMap<string, PlacedOperation> {
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  return new Map(placed.map((operation) => [nameOfOperation(operation), operation]));
}

/** `createPayment` of `payments_CreatePayment`, as clients name it. */
export function nameOfOperation({ operationId }: Pick<DocumentedOperation, 'operationId'>): string {
  const name = operationId.slice(operationId.indexOf('_') + 1);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The guides: the part of the contents that needs no document. */
export function guideEntries(): DocsEntry[] {
  return GUIDES.map(({ name, title, summary: text }) => ({
    kind: 'guide' as const,
    name,
    title,
    text,
    path: `/docs/${name}`,
    group: '',
  }));
}

/** Every page of the documentation, in the order in which it is shown. */
export function contentsOf(document: ServiceDocument): DocsEntry[] {
  const operations = [...operationsIn(document)].map(([name, { summary, description = '', ...row }]) => ({
    kind: 'operation' as const,
    name,
    title: summary,
    text: `${row.method} ${row.path}. ${description}`,
    path: `/docs/api/${name}`,
    group: row.tags[0] ?? '',
  }));
  const objects = Object.entries(document.components.schemas).map(([name, { description = '' }]) => ({
    kind: 'object' as const,
    name,
    title: name,
    text: description,
    path: `/docs/objects/${name}`,
    group: '',
  }));
  const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
    kind: 'event' as const,
    name: type,
    title: type,
    text: post.description ?? '',
    path: `/docs/events/${type}`,
    group: type.slice(0, type.indexOf('.')),
  }));
  const errors = (Object.keys(catalogue) as ErrorCode[]).map((code) => ({
    kind: 'error' as const,
    name: code,
    title: code,
    text: `${entryOf(code).title}. ${entryOf(code).advice}`,
    path: `/errors/${code}`,
    group: String(entryOf(code).status),
  }));
  return [...guideEntries(), ...operations, ...objects, ...events, ...errors];
}
