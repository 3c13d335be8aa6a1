import type { OpenApiDocument, SchemaInDocument } from '../contract/openapi-document.ts';
import { operationsIn } from './contents.ts';
import { nameIn } from './service-document.ts';

interface ExampleOfSchema {
  readonly schema: SchemaInDocument;
  readonly example: unknown;
}

/** Examples of what the recorded requests and responses do not hold. */
const UNRECORDED: Readonly<Record<string, object>> = {
  BankTransferAction: {
    type: 'bank_transfer',
    bank_code: '000',
    account_number: '0000000000',
    account_name: 'Test Account (do not pay)',
    reference: 'P-000002',
    amount: { currency: 'THB', minor: 129_900 },
    expires_at: '2026-11-03T03:00:00.000Z',
  },
  FieldError: { field: 'amount.minor', code: 'min', message: 'must be at least 1' },
  OpenLinkAmount: {
    type: 'open',
    min: { currency: 'THB', minor: 2_000 },
    max: { currency: 'THB', minor: 500_000 },
  },
  RedirectAction: {
    type: 'redirect',
    url: 'https://pay.example.com/checkout/h7Gq2LmZh7Gq2LmZ?step=provider',
    expires_at: '2026-11-02T03:15:00.000Z',
  },
  StatedAmount: { currency: 'THB', minor: 130_900 },
};

/** An example of an object of the document: of an operation or an event, or a value within one. */
export function objectExample(document: OpenApiDocument, name: string): unknown {
  const examples = examplesIn(document);
  const whole = examples.find(({ schema }) => isNamed(schema, name));
  if (whole !== undefined) {
    return whole.example;
  }
  for (const { schema, example } of examples) {
    const found = valueWithin(document, schema, example, name);
    if (found !== undefined) {
      return found;
    }
  }
  return name === 'EventDelivery'
    ? { ...(objectExample(document, 'EndpointDelivery') as object), sink_id: null }
    : UNRECORDED[name];
}

/** Every example, those of successful responses first. */
function examplesIn(document: OpenApiDocument): ExampleOfSchema[] {
  const operations = [...operationsIn(document).values()];
  const events = Object.values(document.webhooks).map(({ post }) => post);
  const contents = [
    ...operations.flatMap(({ responses }) => Object.values(responses).map(({ content }) => content)),
    ...[...operations, ...events].map(({ requestBody }) => requestBody?.content),
  ];
  const given = contents
    .flatMap((content = {}) => Object.values(content))
    .flatMap(({ schema, example }) => (example === undefined ? [] : [{ schema, example }]));
  const problem = {
    ...document.components.examples.validation_failed?.value,
    errors: [UNRECORDED.FieldError],
  };
  return [...given, { schema: { $ref: '#/components/schemas/Problem' }, example: problem }];
}

/** The first value of an example whose schema has this name. */
function valueWithin(
  document: OpenApiDocument,
  schema: SchemaInDocument,
  value: unknown,
  name: string,
): unknown {
  if (value === null || value === undefined) {
    return undefined;
  }
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[nameIn(schema.$ref)];
    return isNamed(schema, name) ? value : named && valueWithin(document, named, value, name);
  }
  const inner: [SchemaInDocument, unknown][] = [
    ...choicesFor(document, schema, value).map((choice): [SchemaInDocument, unknown] => [choice, value]),
    ...(Array.isArray(value) && schema.items !== undefined
      ? value.map((one): [SchemaInDocument, unknown] => [schema.items as SchemaInDocument, one])
      : []),
    ...Object.entries(schema.properties ?? {}).map(([field, held]): [SchemaInDocument, unknown] => [
      held,
      (value as Record<string, unknown>)[field],
    ]),
    ...(typeof schema.additionalProperties === 'object'
      ? Object.values(value).map((one): [SchemaInDocument, unknown] => [
          schema.additionalProperties as SchemaInDocument,
          one,
        ])
      : []),
  ];
  for (const [held, one] of inner) {
    const found = valueWithin(document, held, one, name);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** The kinds that a value may have: those whose `type` is its own. */
function choicesFor(
  { components }: OpenApiDocument,
  { anyOf, oneOf }: SchemaInDocument,
  value: unknown,
): readonly SchemaInDocument[] {
  const typeOf = ({ $ref = '' }: SchemaInDocument) =>
    components.schemas[nameIn($ref)]?.properties?.type?.enum?.[0];
  const { type } = value as { readonly type?: string };
  return (anyOf ?? oneOf ?? []).filter((choice) => {
    const own = typeOf(choice);
    return own === undefined || type === undefined || own === type;
  });
}

function isNamed({ $ref }: SchemaInDocument, name: string): boolean {
  return $ref === `#/components/schemas/${name}`;
}
