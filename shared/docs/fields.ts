import type { SchemaInDocument } from '../contract/openapi-document.ts';
import { type Html, html } from '../pages/html.ts';
import { inlineText } from './inline-text.ts';
import { nameIn } from './service-document.ts';

/** A field as a table shows it: of an object, a query or a path. */
export interface ShownField {
  readonly name: string;
  readonly schema: SchemaInDocument;
  readonly description: string;
  readonly isRequired: boolean;
}

/** The fields of an object; of one that comes in several kinds, none. */
export function fieldsOf({ properties = {}, required = [] }: SchemaInDocument): ShownField[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    description: schema.description ?? '',
    isRequired: required.includes(name),
  }));
}

/**
 * Fields, each with its type, its bounds and what it means.
 * @param root the path of the service, before `/docs`
 * @param says whether a field is required is worth saying of what is sent
 */
export function renderFields(root: string, fields: readonly ShownField[], says: 'required' | 'type'): Html {
  const rows = fields.map(
    ({
      name,
      schema,
      description,
      isRequired,
    }) => html`<dt><code>${name}</code> <span class="type">${renderType(root, schema)}</span>${says === 'required' && isRequired && html` <span class="need">required</span>`}</dt>
<dd>${inlineText(description)}${renderBounds(schema)}</dd>
`,
  );
  return html`<dl class="fields">
${rows}</dl>`;
}

/** The type of a schema in words, with links to the objects in it. */
export function renderType(root: string, schema: SchemaInDocument): Html {
  if (schema.$ref !== undefined) {
    const name = nameIn(schema.$ref);
    return html`<a href="${root}/docs/objects/${name}">${name}</a>`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined && schema.properties === undefined) {
    const names = choices.map((choice) => renderType(root, choice));
    return html`${names.flatMap((name, index) => (index === 0 ? [name] : [' or ', name]))}`;
  }
  if (schema.items !== undefined) {
    return html`list of ${renderType(root, schema.items)}`;
  }
  return html`${schema.format === undefined ? (schema.type ?? 'any') : `${schema.type} (${schema.format})`}`;
}

/** The values or the bounds of a field, as a sentence. */
function renderBounds(schema: SchemaInDocument): Html | null {
  const held = (schema.anyOf ?? []).find(({ type }) => type !== 'null') ?? schema;
  if (held.enum !== undefined) {
    const values = held.enum.map((value) => html`<code>${String(value)}</code> `);
    return html` <span class="bounds">${held.enum.length === 1 ? 'Always' : 'One of'} ${values}</span>`;
  }
  const bounds = [
    range(held.minimum, held.maximum, ''),
    range(held.minLength, held.maxLength, ' characters'),
    range(held.minItems, held.maxItems, ' entries'),
  ].filter((text) => text !== null);
  return bounds.length === 0 ? null : html` <span class="bounds">${bounds.join(', ')}.</span>`;
}

function range(from: number | undefined, to: number | undefined, unit: string): string | null {
  const [least, most] = [from, to].map((bound) => bound?.toLocaleString('en'));
  if (most === undefined) {
    return least === undefined || least === '0' ? null : `At least ${least}${unit}`;
  }
  return least === undefined || least === '0' ? `At most ${most}${unit}` : `${least} to ${most}${unit}`;
}
