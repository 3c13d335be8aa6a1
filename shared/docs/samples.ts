import type { OpenApiDocument } from '../contract/openapi-document.ts';
import { type Html, html } from '../pages/html.ts';
import { commandsOf, type ShownCommand } from '../story/commands.ts';
import { readOperations } from '../story/read-operations.ts';
import { nameOfOperation, type PlacedOperation } from './contents.ts';

const JSON_TYPE = 'application/json';

/** What forms of the payers' pages send. */
const FORMS: Readonly<Record<string, string>> = {
  actOnCheckout: 'action=pay&version=1',
  payByLink: 'name=Somchai&email=somchai%40example.com',
  receiveAtSink: '{"received":"something"}',
};
/** Only a provider can sign what is sent to its address. */
const OF_PROVIDERS = 'providers';

/** An operation with the body of its example, as curl, TypeScript and the command line send it; none of a provider's. */
export function samplesOf(document: OpenApiDocument, operation: PlacedOperation): ShownCommand[] {
  const name = nameOfOperation(operation);
  const described = readOperations(document).find(({ id }) => id === operation.operationId);
  if (described === undefined) {
    throw new Error(`${name} is not in the document`);
  }
  if (operation.tags.includes(OF_PROVIDERS)) {
    return [];
  }
  const example = operation.requestBody?.content[JSON_TYPE]?.example;
  return commandsOf(null, described, {
    method: operation.method,
    path: operation.path,
    headers: described.isIdempotent ? { 'Idempotency-Key': '', 'Content-Type': JSON_TYPE } : {},
    body: described.isIdempotent ? JSON.stringify(example ?? {}) : FORMS[name],
    isKeyed: described.permission !== null,
  });
}

/** A text to copy, of a language. */
export function renderCode(code: string, name?: string): Html {
  return html`${name !== undefined && html`<p class="of">${name}</p>\n`}<pre tabindex="0"><code>${code}</code></pre>\n`;
}

/** A value as JSON, with two spaces. */
export function renderJson(value: unknown): Html {
  return renderCode(JSON.stringify(value, null, 2));
}
