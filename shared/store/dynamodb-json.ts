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
  stringify: (input: unknown) =>
    JSON.stringify(
      convertItems(input, '', (item) => marshall(item, { removeUndefinedValues: true })),
      writeBytes,
    ),
  parse: (text) => convertItems(JSON.parse(text, readBytes), '', (item) => unmarshall(item)),
};

/** @param field the field that has the value, or whose list does */
function convertItems(
  value: unknown,
  field: string,
  convert: (item: Parameters<typeof unmarshall>[0]) => unknown,
): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => convertItems(one, field, convert));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (ITEM_FIELDS.has(field)) {
    return convert(value as Parameters<typeof unmarshall>[0]);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      // The responses of a batch are lists of items, by table.
      convertItems(one, field === 'Responses' ? 'Items' : name, convert),
    ]),
  );
}

function writeBytes(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  // The value itself, since that of a Buffer is converted before this is called.
  const raw = this[name];
  return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : value;
}

function readBytes(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') {
    return new Uint8Array(Buffer.from(value, 'base64'));
  }
  return name === 'BS' && Array.isArray(value) ? value.map((one) => readBytes('B', one)) : value;
}
