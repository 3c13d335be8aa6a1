import { commandsOf, type ShownCommand } from '../console/commands.ts';
import { readOperations } from '../console/read-operations.ts';
import { type Html, html } from '../pages/html.ts';
import { nameOfOperation, type PlacedOperation } from './contents.ts';
import type { ServiceDocument } from './service-document.ts';

const JSON_TYPE = 'application/json';

/** An operation with the body of its example, as curl, TypeScript and the command line send it. */
export function samplesOf(document: ServiceDocument, operation: PlacedOperation): ShownCommand[] {
  const [{ url }] = document.servers;
  const described = readOperations(document).find(({ id }) => id === operation.operationId);
  if (described === undefined) {
    throw new Error(`${nameOfOperation(operation)} is not in the document`);
  }
  const example = operation.requestBody?.content[JSON_TYPE]?.example;
  return commandsOf(url, described, {
    method: operation.method,
    path: operation.path,
    headers: {
      ...(described.isIdempotent && { 'Idempotency-Key': 'a new value for each operation' }),
      ...(described.isIdempotent && { 'Content-Type': JSON_TYPE }),
    },
    body: described.isIdempotent ? JSON.stringify(example ?? {}) : undefined,
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
