import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { docsOf } from '../../shared/contract/docs.ts';
import { pageQuery } from '../../shared/contract/list-page.ts';
import { buildOpenApi } from '../../shared/contract/openapi.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { PERMISSIONS, PRESETS } from '../../shared/contract/permissions.ts';
import { JSON_SCHEMAS } from '../../shared/contract/testkit/json-schemas.ts';
import type { AnyMachine } from '../../shared/domain/machine.ts';
import { METHODS } from '../../shared/domain/payment-method.ts';
import { EVENT_TYPES, RESOURCE_NAMES, RESOURCES } from '../../shared/domain/resource.ts';
import { type CatalogueEntry, catalogue } from '../../shared/errors/catalogue.ts';

/*
 * npm run contract: writes the tables and diagrams of shared/CONTRACT.md, and the JSON Schemas beside it, from the code. A test
 * fails if they differ.
 */

const CONTRACT = new URL('../../shared/CONTRACT.md', import.meta.url);

const PARTS: Readonly<Record<string, () => string>> = {
  operations: operationTable,
  bodies: bodyTable,
  nulls: nullTable,
  errors: errorTable,
  events: eventTable,
  filters: filterTable,
  presets: presetTable,
  methods: methodTable,
  // A resource whose status changes: the part has its name in words.
  ...Object.fromEntries(
    RESOURCE_NAMES.flatMap((name) => {
      const { machine } = RESOURCES[name];
      return machine === null
        ? []
        : [[name.replace(/[A-Z]/g, ' $&').toLowerCase(), () => stateDiagram(machine)]];
    }),
  ),
};

/** The contract with every part between `<!-- part -->` and `<!-- /part -->` generated again. */
export function renewContract(text: string): string {
  return Object.entries(PARTS).reduce((renewed, [name, print]) => replacePart(renewed, name, print()), text);
}

/**
 * A text with the part between `<!-- name -->` and `<!-- /name -->` replaced.
 * @throws Error if it has no such part
 */
export function replacePart(text: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) {
    throw new Error(`the text has no part "${name}"`);
  }
  return `${text.slice(0, start)}${open}\n${content}\n${text.slice(end)}`;
}

function operationTable(): string {
  const rows = allOperations.map(({ id, method, path, permission, alsoRequires = [] }) => {
    const required = [permission ?? [], ...alsoRequires].flat().map((name) => `\`${name}\``);
    return `| \`${method} ${path}\` | ${docsOf({ id }).summary} | ${required.join(', ') || 'none'} |`;
  });
  return ['| Operation | What it does | Permission |', '|---|---|---|', ...rows].join('\n');
}

function presetTable(): string {
  const presets = Object.entries(PRESETS);
  const rows = PERMISSIONS.map((permission) => {
    const marks = presets.map(([, names]) => (names.some((name) => name === permission) ? 'yes' : ''));
    return `| \`${permission}\` | ${marks.join(' | ')} |`;
  });
  const names = presets.map(([name]) => `\`${name}\``);
  return [`| Permission | ${names.join(' | ')} |`, `|---${'|---'.repeat(names.length)}|`, ...rows].join('\n');
}

function methodTable(): string {
  const rows = Object.entries(METHODS).map(
    ([method, { minutes, action }]) => `| \`${method}\` | ${minutes.toLocaleString('en')} | \`${action}\` |`,
  );
  return ['| Method | Minutes | `next_action` |', '|---|---:|---|', ...rows].join('\n');
}

/** The parts of the document's schemas of which the tables tell. */
interface PublishedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly items?: PublishedSchema;
  readonly anyOf?: readonly PublishedSchema[];
  readonly oneOf?: readonly PublishedSchema[];
}

/** The schemas of the document, as its readers get them. */
function publishedSchemas(): Readonly<Record<string, PublishedSchema>> {
  return JSON.parse(JSON.stringify(buildOpenApi('https://pay.example.com'))).components.schemas;
}

/** For each body, the fields that it must have; those in a required field, too. */
function bodyTable(): string {
  const schemas = publishedSchemas();
  const rows = allOperations.flatMap(({ id, method, path, idempotent }) => {
    const schema = schemas[`${id.replace(/.*\./, '')}Request`];
    if (!idempotent || schema === undefined) {
      return [];
    }
    const fields = requiredIn(schemas, schema).map((field) => `\`${field}\``);
    const choice = (schema.anyOf ?? []).flatMap(({ required = [] }) =>
      required.map((field) => `\`${field}\``),
    );
    const required = choice.length === 0 ? fields : [...fields, `at least one of ${choice.join(', ')}`];
    return [`| \`${method} ${path}\` | ${required.join(', ') || 'nothing'} |`];
  });
  return ['| Operation | Its body requires |', '|---|---|', ...rows].join('\n');
}

function requiredIn(
  schemas: Readonly<Record<string, PublishedSchema>>,
  schema: PublishedSchema,
  before = '',
): string[] {
  const { required = [], properties = {}, oneOf = [] } = followed(schemas, schema);
  const kinds = oneOf.map((kind) => followed(schemas, kind).required ?? []);
  const ofAllKinds = (kinds[0] ?? []).filter((field) => kinds.every((kind) => kind.includes(field)));
  return [...required, ...ofAllKinds].flatMap((field) => [
    `${before}${field}`,
    ...requiredIn(schemas, properties[field] ?? {}, `${before}${field}.`),
  ]);
}

function followed(
  schemas: Readonly<Record<string, PublishedSchema>>,
  schema: PublishedSchema,
): PublishedSchema {
  return (schema.$ref === undefined ? undefined : schemas[schema.$ref.replace(/.*\//, '')]) ?? schema;
}

/** The fields that can be null, of each object in responses and events. */
function nullTable(): string {
  const objects = Object.entries(publishedSchemas()).flatMap(([name, schema]) => {
    const fields = nullableIn(schema).map((field) => `\`${field}\``);
    return fields.length === 0 ? [] : [{ name: `\`${name}\``, fields: fields.toSorted().join(', ') }];
  });
  const rows = Object.entries(Object.groupBy(objects, ({ fields }) => fields)).map(
    ([fields, same = []]) => `| ${same.map(({ name }) => name).join(', ')} | ${fields} |`,
  );
  return ['| Objects | Fields that can be `null` |', '|---|---|', ...rows.toSorted()].join('\n');
}

function nullableIn({ properties = {} }: PublishedSchema, before = ''): string[] {
  return Object.entries(properties).flatMap(([name, field]) => [
    ...(canBeNull(field) ? [`${before}${name}`] : []),
    ...nullableIn(field, `${before}${name}.`),
    ...nullableIn(field.items ?? {}, `${before}${name}[].`),
  ]);
}

function canBeNull({ type = [], anyOf = [], oneOf = [] }: PublishedSchema): boolean {
  return [type].flat().includes('null') || [...anyOf, ...oneOf].some(canBeNull);
}

function errorTable(): string {
  const entries = Object.entries<CatalogueEntry>(catalogue).map(([code, { status, details = {} }]) => {
    const names = Object.keys(details).map((name) => `\`${name}\``);
    return { status, text: `\`${code}\`${names.length === 0 ? '' : ` (${names.join(', ')})`}` };
  });
  const rows = Object.entries(Object.groupBy(entries, ({ status }) => status)).map(
    ([status, codes = []]) => `| ${status} | ${codes.map(({ text }) => text).join(', ')} |`,
  );
  return ['| Status | `code` (and its `details`) |', '|---|---|', ...rows].join('\n');
}

function eventTable(): string {
  const rows = Object.entries(Object.groupBy(EVENT_TYPES, (type) => type.replace(/\..*/, ''))).map(
    ([resource, types = []]) =>
      `| \`${resource}.\` | ${types.map((type) => `\`${type.replace(/.*\./, '')}\``).join(', ')} |`,
  );
  return ['| Events | |', '|---|---|', ...rows].join('\n');
}

/** The fields of each list's query, but for those of paging. */
function filterTable(): string {
  const rows = allOperations.flatMap(({ method, path, query }) => {
    const entries = query !== undefined && 'entries' in query ? (query.entries as object) : {};
    const names = Object.keys(entries).filter((name) => !(name in pageQuery));
    const filters = names.map((name) => `\`${name}\``).join(', ');
    return names.length === 0 ? [] : [`| \`${method} ${path}\` | ${filters} |`];
  });
  return ['| List | Filters |', '|---|---|', ...rows].join('\n');
}

/** The diagram of a machine, which names the first status first. */
function stateDiagram(machine: AnyMachine): string {
  const steps = Object.entries(machine).flatMap(([from, commands]) =>
    Object.entries(commands).map(([command, to]) => `    ${from} --> ${String(to)}: ${command}`),
  );
  const [first] = Object.keys(machine);
  return ['```mermaid', 'stateDiagram-v2', `    [*] --> ${first}`, ...steps, '```'].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(CONTRACT, renewContract(await readFile(CONTRACT, 'utf8')));
  for (const [name, build] of Object.entries(JSON_SCHEMAS)) {
    const file = new URL(`../../shared/${name}.schema.json`, import.meta.url);
    await writeFile(file, JSON.stringify(build()));
  }
}
