import type { DocumentResponse, OpenApiDocument, SchemaInDocument } from '../contract/openapi-document.ts';
import { type ErrorCode, entryOf, isErrorCode } from '../errors/catalogue.ts';
import { type Html, html } from '../pages/html.ts';
import { renderJson, renderSamples } from './code-block.ts';
import { nameOfOperation, operationsIn, type PlacedOperation } from './contents.ts';
import type { DocsPage } from './docs-page.ts';
import { fieldsOf, renderFields, renderType } from './fields.ts';
import { inlineText } from './inline-text.ts';
import { samplesOf } from './samples.ts';
import { nameIn } from './service-document.ts';

/** The page of an operation by its id, or by its name in clients, or null if there is none. */
export function operationPage(document: OpenApiDocument, root: string, asked: string): DocsPage | null {
  const [name, operation] =
    [...operationsIn(document)].find(([name, { operationId }]) => asked === operationId || asked === name) ??
    [];
  if (operation === undefined) {
    return null;
  }
  const { method, path, summary, description = '' } = operation;
  const body = html`<h1>${summary}</h1>
<p class="route"><b>${method}</b> <code>${path}</code></p>
<p>${inlineText(description)}</p>
${renderNeeds(root, operation)}
${renderExample(document, root, operation)}
${renderSent(document, root, operation)}
${Object.entries(operation.responses).map(([status, answer]) => renderResponse(root, status, answer))}
${renderErrors(root, operation)}`;
  return { title: summary, body, data: { name, ...operation } };
}

function renderExample(document: OpenApiDocument, root: string, operation: PlacedOperation): Html | null {
  const samples = samplesOf(document, operation);
  if (samples.length === 0) {
    return null;
  }
  const ids = /\{\w+\}/.test(operation.path) && html` Replace what is in braces by your own.`;
  return html`<h2>Example</h2>
<p>The variables are those of <a href="${root}/docs/first-payment">the first guide</a>.${ids}</p>
${renderSamples(samples)}`;
}

function renderNeeds(root: string, operation: PlacedOperation): Html {
  const permission = operation['x-permission'];
  if (permission === undefined) {
    return html`<p>It needs no key.</p>`;
  }
  const key =
    permission === 'any'
      ? html`any API key`
      : html`an API key with the permission <code>${permission}</code>`;
  return html`<p>It takes ${key}. In clients its name is <code>${nameOfOperation(operation)}</code>. <a class="button" href="${root}/console#/api/${operation.operationId}">Try it</a></p>`;
}

function renderSent(document: OpenApiDocument, root: string, operation: PlacedOperation): Html {
  const { parameters, schemas } = document.components;
  const sent = operation.parameters.map((given) =>
    given.$ref === undefined ? given : (parameters[nameIn(given.$ref)] ?? given),
  );
  const groups = [
    ['Path', 'path'],
    ['Query', 'query'],
    ['Headers', 'header'],
  ].map(([title, location]) => {
    const fields = sent.flatMap((parameter) => {
      if (parameter.$ref !== undefined || parameter.in !== location) {
        return [];
      }
      const { name, schema, description = '', required } = parameter;
      return [{ name, schema, description, isRequired: required }];
    });
    return fields.length > 0 && html`<h2>${title ?? ''}</h2>\n${renderFields(root, fields, 'required')}`;
  });
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  return html`${groups}${schema !== undefined && renderBody(root, schema, schemas)}`;
}

function renderBody(
  root: string,
  schema: SchemaInDocument,
  schemas: Readonly<Record<string, SchemaInDocument>>,
): Html {
  const fields = fieldsOf(schemas[nameIn(schema.$ref ?? '')] ?? schema);
  return html`<h2>Body</h2>
<p>As JSON: ${renderType(root, schema)}.</p>
${fields.length > 0 && renderFields(root, fields, 'required')}`;
}

/** An answer that is no problem. */
function renderResponse(root: string, status: string, { description, content = {} }: DocumentResponse): Html {
  return html`${Object.entries(content)
    .filter(([type]) => !type.includes('problem') && !/^[45]/.test(status))
    .map(([type, { schema, example }]) => {
      return html`<h2>Answer ${status}</h2>
<p>${inlineText(description)} <code>${type}</code>${schema.$ref !== undefined && html`: ${renderType(root, schema)}`}.</p>
${typeof example === 'object' && renderJson(example)}`;
    })}`;
}

function renderErrors(root: string, { responses }: PlacedOperation): Html {
  const codes = Object.values(responses).flatMap(({ content = {} }) =>
    Object.keys(content['application/problem+json']?.examples ?? {}).filter(isErrorCode),
  );
  const rows = codes.map((code: ErrorCode) => {
    const { status, title } = entryOf(code);
    return html`<tr><td>${status}</td><td><a href="${root}/errors/${code}"><code>${code}</code></a></td><td>${title}</td></tr>\n`;
  });
  return html`<h2>Errors</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Errors"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}
