import { PING } from '../../shared/contract/events.ts';
import { buildOpenApi } from '../../shared/contract/openapi.ts';
import type {
  DocumentedOperation,
  OpenApiDocument,
  SchemaInDocument,
} from '../../shared/contract/openapi-document.ts';
import { type Operation, pathParamsOf } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { type CatalogueEntry, catalogue } from '../../shared/errors/catalogue.ts';
import { printDocs, printNamed, printType, refName } from './print-type.ts';

type DocumentSchemas = OpenApiDocument['components']['schemas'];

/** The name of the type of a method's fields, and their schema. */
type NamedFields = readonly [name: string, schema: SchemaInDocument];

const JSON_TYPE = 'application/json';
/** Schemas of the document that have a more precise type here or in the client. */
const SAID_OTHERWISE = ['Event', 'EventData', 'Problem', 'FieldError'];

/**
 * The types that the client's declarations import from the table and the catalogue, without dependencies: `Methods`
 * with inputs and responses, `EventView`, `PingView`, `ErrorCode`, `StatusOf` and `DetailsOf`, with their descriptions.
 */
export function printContractTypes(): string {
  const { paths, webhooks, components } = buildOpenApi('');
  const { schemas } = components;
  const methods = Object.entries<Operation>(operations)
    .filter(([, { permission }]) => permission !== null)
    .map(([name, row]) => {
      const documented = paths[row.path]?.[row.method.toLowerCase()] as DocumentedOperation;
      return { name, row, documented, fields: fieldsOf(row, documented, schemas) };
    });
  const events = new Set(Object.values(webhooks).map(({ post }) => bodyName(post)));
  const bodies = new Set(methods.map(({ documented }) => bodyName(documented)));
  const answers = Object.entries(schemas).filter(
    ([name]) => !SAID_OTHERWISE.includes(name) && !bodies.has(name),
  );
  return [
    ...answers.map(([name, schema]) =>
      events.has(name) ? printEvent(name, schema) : printNamed(name, schema),
    ),
    ...methods.flatMap(({ fields }) => (fields === undefined ? [] : [printNamed(...fields)])),
    printAnyEvent(webhooks),
    printMethods(methods, schemas),
    printCatalogue(),
  ].join('\n');
}

interface Method {
  readonly name: string;
  readonly row: Operation;
  readonly documented: DocumentedOperation;
  readonly fields: NamedFields | undefined;
}

function printMethods(methods: readonly Method[], schemas: DocumentSchemas): string {
  const printed = methods.map(({ name, row, documented, fields }) => {
    const taken = [
      ...pathParamsOf(row).map((param) => `${camelCase(param)}: string`),
      ...(fields === undefined ? [] : [`fields${mayBeEmpty(fields[1]) ? '?' : ''}: ${fields[0]}`]),
      'options?: CallOptions',
    ];
    const about = [
      `${documented.summary}.`,
      documented.description,
      `Permission: \`${row.permission}\`.`,
      refusals(row),
    ];
    const docs = printDocs(about.filter((text) => text !== undefined).join(' '), '  ');
    return `${docs}  readonly ${name}: (${taken.join(', ')}) => ${resultOf(row, schemas)};\n`;
  });
  return `interface Methods {\n${printed.join('')}}\n`;
}

function refusals({ errors }: Operation): string | undefined {
  return errors.length === 0
    ? undefined
    : `May be refused with ${errors.map((code) => `\`${code}\``).join(', ')}.`;
}

/** The body without the field that repeats the id of the path, or the query. */
function fieldsOf(
  row: Operation,
  documented: DocumentedOperation,
  schemas: DocumentSchemas,
): NamedFields | undefined {
  const name = row.body === undefined ? queryName(row) : bodyName(documented);
  const schema = row.body === undefined ? querySchema(documented) : (schemas[name] ?? {});
  const properties = Object.entries(schema.properties ?? {}).filter(([field]) => field !== row.bodyId);
  return properties.length === 0
    ? undefined
    : [name, { ...schema, properties: Object.fromEntries(properties) }];
}

/** A query is text on the wire, so numbers may also be passed as text. */
function querySchema({ parameters }: DocumentedOperation): SchemaInDocument {
  const properties = parameters.flatMap((parameter) => {
    if (parameter.in !== 'query') {
      return [];
    }
    const { name, schema, description } = parameter;
    const sent = schema.type === 'integer' ? { anyOf: [schema, { type: 'string' }] } : schema;
    return [[name, { ...sent, description }]];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function resultOf({ success }: Operation, schemas: DocumentSchemas): string {
  if (!('schema' in success)) {
    throw new Error('only what answers JSON can be a method');
  }
  const { data, next_cursor } = schemas[success.name]?.properties ?? {};
  return next_cursor === undefined
    ? `Promise<${success.name}>`
    : `List<${printType(data?.items ?? {})}, ${success.name}>`;
}

/** An event of one kind of resource has one of several types: generic, so that each of these has its own type. */
function printEvent(name: string, { properties = {}, ...schema }: SchemaInDocument): string {
  const { enum: types = [], ...type } = properties.type ?? {};
  const any = printType({ enum: types });
  const generic = { ...properties, type: { ...type, $ref: 'Type' } };
  return printNamed(`${name}<Type extends ${any} = ${any}>`, { ...schema, properties: generic });
}

function printAnyEvent(webhooks: OpenApiDocument['webhooks']): string {
  const all = Object.entries(webhooks)
    .filter(([type]) => type !== PING)
    .map(([type, { post }]) => `\n  | ${bodyName(post)}<'${type}'>`);
  const views = `type EventView = Event;\ntype PingView = ${bodyName(webhooks[PING]?.post as DocumentedOperation)};\n`;
  return `${printDocs('An event: its type says what `data.object` is.')}export type Event =${all.join('')};\n${views}`;
}

function printCatalogue(): string {
  const codes = Object.entries<CatalogueEntry>(catalogue).map(
    ([code, { status, title, advice, details }]) => {
      const fields = Object.entries(details ?? {}).map(
        ([name, kind]) => `readonly ${name}: ${printKind(kind)}`,
      );
      const printed = details === undefined ? 'undefined' : `{ ${fields.join('; ')} }`;
      return `${printDocs(`${title}. ${advice}`, '  ')}  ${code}: { status: ${status}; details: ${printed} };\n`;
    },
  );
  return `/** Every reason to refuse a request, by its code. */
interface Refusals {
${codes.join('')}}
export type ErrorCode = keyof Refusals;
type StatusOf<Code extends ErrorCode> = Refusals[Code]['status'];
type DetailsOf<Code extends ErrorCode> = Refusals[Code]['details'];
`;
}

/** The type of a value in the catalogue's `details`. */
function printKind(kind: NonNullable<CatalogueEntry['details']>[string]): string {
  switch (kind) {
    case 'text':
      return 'string';
    case 'texts':
      return 'readonly string[]';
    case 'text or texts':
      return 'string | readonly string[]';
    case 'integer':
      return 'number';
    default:
      return printType({ enum: kind });
  }
}

function bodyName(documented: DocumentedOperation): string {
  return refName(documented.requestBody?.content[JSON_TYPE]?.schema.$ref ?? '');
}

function queryName({ id }: Operation): string {
  return `${id.slice(id.indexOf('.') + 1)}Query`;
}

function mayBeEmpty({ required = [] }: SchemaInDocument): boolean {
  return required.length === 0;
}

/** `delivery_id` → `deliveryId`. */
function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
