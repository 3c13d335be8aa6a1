import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

/** The fields of requests and responses that hold items, or parts of them. */
const ITEM_FIELDS: ReadonlySet<string> = new Set([
  'Attributes',
  'ExclusiveStartKey',
  'ExpressionAttributeValues',
  'Item',
  'Items',
  'Key',
  'Keys',
  'LastEvaluatedKey',
]);

/** JSON as DynamoDB speaks it: every value of an item names its type there, and bytes are Base64. */
export const DYNAMODB_JSON: Pick<JSON, 'stringify' | 'parse'> = {
  stringify: (input: unknown) => JSON.stringify(convertItems(input, '', toWire)),
  parse: (text) => convertItems(JSON.parse(text), '', fromWire),
};

function toWire(item: object): object {
  const marshalled = marshall(item, { removeUndefinedValues: true });
  changeBytes(Object.values(marshalled as object), (bytes) =>
    Buffer.from(bytes as Uint8Array).toString('base64'),
  );
  return marshalled;
}

function fromWire(item: object): object {
  changeBytes(Object.values(item), (base64) => new Uint8Array(Buffer.from(base64 as string, 'base64')));
  return unmarshall(item as Parameters<typeof unmarshall>[0]);
}

/** @param field the field that has the value, or whose list does */
function convertItems(value: unknown, field: string, convert: (item: object) => object): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => convertItems(one, field, convert));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (ITEM_FIELDS.has(field)) {
    return convert(value);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      // The responses of a batch are lists of items, by table.
      convertItems(one, field === 'Responses' ? 'Items' : name, convert),
    ]),
  );
}

/** An attribute's value: one of these, or one without bytes. */
interface TypedValue {
  B?: unknown;
  BS?: unknown[];
  L?: TypedValue[];
  M?: Record<string, TypedValue>;
}

/** Puts other bytes in the place of those in an item: a reviver of JSON takes several times as long. */
function changeBytes(values: readonly TypedValue[], change: (bytes: unknown) => unknown): void {
  for (const value of values) {
    if (value.B !== undefined) {
      value.B = change(value.B);
    } else if (value.BS !== undefined) {
      value.BS = value.BS.map(change);
    } else {
      changeBytes(value.L ?? Object.values(value.M ?? {}), change);
    }
  }
}
