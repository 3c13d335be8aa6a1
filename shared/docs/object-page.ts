import type { OpenApiDocument, SchemaInDocument } from '../contract/openapi-document.ts';
import { type Html, html } from '../pages/html.ts';
import { renderJson } from './code-block.ts';
import { operationsIn, pathOfOperation } from './contents.ts';
import type { DocsPage } from './docs-page.ts';
import { fieldsOf, renderFields, renderType } from './fields.ts';
import { inlineText } from './inline-text.ts';
import { objectExample } from './object-examples.ts';
import { machineOf, renderStateDiagram } from './state-diagram.ts';

/** The page of an object of the API by its name, or null if there is none. */
export function objectPage(document: OpenApiDocument, root: string, name: string): DocsPage | null {
  const { schemas } = document.components;
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (schema === undefined) {
    return null;
  }
  const machine = machineOf(name);
  const example = schema.enum === undefined ? objectExample(document, name) : undefined;
  const body = html`<h1>${name}</h1>
<p>${inlineText(schema.description ?? '')}</p>
${machine !== undefined && html`<h2>Statuses</h2>\n${renderStateDiagram(name, machine)}`}
${renderContent(root, schema)}
${example !== undefined && html`<h2>Example</h2>\n${renderJson(example)}`}
${renderUses(document, root, name)}`;
  return { title: name, body, data: { name, schema } };
}

function renderContent(root: string, schema: SchemaInDocument): Html {
  const fields = fieldsOf(schema);
  if (fields.length > 0) {
    return html`<h2>Fields</h2>\n${renderFields(root, fields, isSent(schema) ? 'required' : 'type')}`;
  }
  if (schema.enum !== undefined) {
    return html`<h2>Values</h2>\n<ul>${schema.enum.map((value) => html`<li><code>${String(value)}</code></li>`)}</ul>`;
  }
  return html`<p>${schema.oneOf === undefined ? 'Its type: ' : 'It is one of: '}${renderType(root, schema)}.</p>`;
}

/** What a caller sends takes no field that is not listed. */
function isSent({ additionalProperties }: SchemaInDocument): boolean {
  return additionalProperties === false;
}

/** The operations and the objects in which an object occurs. */
function renderUses(document: OpenApiDocument, root: string, name: string): Html {
  const operations = [...operationsIn(document).values()]
    .filter(({ requestBody, responses }) => holds({ requestBody, responses }, name))
    .filter(() => name !== 'Problem' && name !== 'FieldError')
    .map((operation) => ({ path: pathOfOperation(operation), title: operation.summary }));
  const objects = Object.entries(document.components.schemas)
    .filter(([other, schema]) => other !== name && holds(schema, name))
    .map(([other]) => ({ path: `/docs/objects/${other}`, title: other }));
  const links = [...operations, ...objects].map(
    ({ path, title }) => html`<li><a href="${root}${path}">${title}</a></li>\n`,
  );
  return html`${links.length > 0 && html`<h2>Where it occurs</h2>\n<ul>\n${links}</ul>`}`;
}

function holds(part: unknown, name: string): boolean {
  return JSON.stringify(part).includes(`"#/components/schemas/${name}"`);
}
