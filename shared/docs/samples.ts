import type { OpenApiDocument } from '../contract/openapi-document.ts';
import { DAY_MS, toDay } from '../domain/clock.ts';
import type { ApiRequest } from '../story/api-request.ts';
import { commandsOf } from '../story/commands.ts';
import { readOperations } from '../story/read-operations.ts';
import type { CodeBlock } from './code-block.ts';
import { nameOfOperation, type PlacedOperation } from './contents.ts';
import { asGo, asPhp, asPython } from './programs.ts';
import { nameIn } from './service-document.ts';

const JSON_TYPE = 'application/json';

const FORM_TYPE = 'application/x-www-form-urlencoded';
/** What forms of the payers' pages send, and what a sink receives: the media type, and the body. */
const PUBLIC_BODIES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  actOnCheckout: [FORM_TYPE, 'action=pay&version=1'],
  payByLink: [FORM_TYPE, 'name=Somchai&email=somchai%40example.com'],
  receiveAtSink: [JSON_TYPE, '{"received":"something"}'],
  receiveNotification: [JSON_TYPE, '{}'],
};
/** Only a provider can sign what is sent to its address. */
const OF_PROVIDERS = 'providers';

/** A way to send a request. */
export interface RequestSample extends CodeBlock {
  readonly name: string;
}

/** An operation with the body of its example, in each language and by the command line; none of a provider's. */
export function samplesOf(document: OpenApiDocument, operation: PlacedOperation): RequestSample[] {
  const name = nameOfOperation(operation);
  const described = readOperations(document).find(({ id }) => id === operation.operationId);
  if (described === undefined) {
    throw new Error(`${name} is not in the document`);
  }
  if (operation.tags.includes(OF_PROVIDERS)) {
    return [];
  }
  const request = sampleRequestOf(operation);
  const [curl, typeScript, pg] = commandsOf(null, described, request).map(({ name, text: code }) => ({
    name,
    code,
    language: name === 'TypeScript' ? 'ts' : 'sh',
  }));
  if (curl === undefined || typeScript === undefined || pg === undefined) {
    return curl === undefined ? [] : [curl];
  }
  return [
    curl,
    typeScript,
    { name: 'Python', code: asPython(request), language: 'python' },
    { name: 'Go', code: asGo(request), language: 'go' },
    { name: 'PHP', code: asPhp(request), language: 'php' },
    pg,
  ];
}

/** The request of an operation with the body of its example. Its path and its `Idempotency-Key` are to be filled in. */
export function sampleRequestOf(operation: PlacedOperation): ApiRequest {
  const { method, path, parameters, requestBody } = operation;
  const isIdempotent = parameters.some(({ $ref = '' }) => nameIn($ref) === 'IdempotencyKey');
  const isKeyed = operation['x-permission'] !== undefined;
  if (isIdempotent) {
    const example = requestBody?.content[JSON_TYPE]?.example;
    const headers = { 'Idempotency-Key': '', 'Content-Type': JSON_TYPE };
    return { method, path, headers, body: JSON.stringify(withRecentTime(example ?? {})), isKeyed };
  }
  const [type, body] = PUBLIC_BODIES[nameOfOperation(operation)] ?? [];
  return { method, path, headers: type === undefined ? {} : { 'Content-Type': type }, body, isKeyed };
}

/**
 * An example whose time is of yesterday: that of the document is of long ago when somebody sends it (contract §14).
 * @internal tests send examples too
 */
export function withRecentTime(example: object): Record<string, unknown> {
  return { ...example, ...('since' in example && { since: `${toDay(Date.now() - DAY_MS)}T00:00:00.000Z` }) };
}
