export type Value =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | ReadonlySet<string>
  | readonly Value[]
  | { readonly [name: string]: Value };
export type ModelItem = Record<string, Value>;

/** What a list or a map takes beside its members, each of which takes one more. */
const LIST_BYTES = 3;

/**
 * A value as the table keeps it: what is undefined is left out, and nothing is shared with the caller but bytes, which
 * nobody writes into.
 */
export function plain(value: unknown): Value | undefined {
  if (typeof value === 'bigint') {
    return requireExact(Number(value));
  }
  if (typeof value !== 'object' || value === null) {
    return value as Value | undefined;
  }
  if (value instanceof Uint8Array) {
    // The SDK returns no buffers of Node.
    return Buffer.isBuffer(value) ? new Uint8Array(value) : value;
  }
  if (value instanceof Set) {
    return new Set([...value].map(requireText));
  }
  if (Array.isArray(value)) {
    return value.map(plain).filter((each) => each !== undefined);
  }
  return plainItem(value);
}

function requireText(member: unknown): string {
  if (typeof member !== 'string') {
    throw new Error('the model of the store keeps sets of texts alone');
  }
  return member;
}

/** An item, or a map in one, as `plain` has it. */
export function plainItem(item: object): ModelItem {
  const copy = { ...item } as ModelItem;
  for (const name in copy) {
    const value = copy[name];
    if (typeof value === 'string' || typeof value === 'number') {
      continue;
    }
    const kept = plain(value);
    if (kept === undefined) {
      delete copy[name];
    } else {
      copy[name] = kept;
    }
  }
  return copy;
}

/** @throws Error for a number that the table keeps with more digits than JavaScript */
export function requireExact(number: number): number {
  if (!Number.isSafeInteger(number)) {
    throw new Error(`the model of the store does not count to ${number}`);
  }
  return number;
}

/** Numbers by size, texts by their bytes in UTF-8. */
export function orderOf(left: number | string, right: number | string): number {
  if (left === right) {
    return 0;
  }
  if (typeof left === 'string' && typeof right === 'string') {
    let at = 0;
    while (left.charCodeAt(at) === right.charCodeAt(at)) {
      at += 1;
    }
    return inUtf8(left.charCodeAt(at)) < inUtf8(right.charCodeAt(at)) ? -1 : 1;
  }
  return left < right ? -1 : 1;
}

/** Where a unit of UTF-16 sorts among the others in UTF-8: surrogates stand for what comes last. */
function inUtf8(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit < 0xe000;
  // The end of a text comes first.
  return Number.isNaN(unit) ? -1 : isSurrogate ? unit + 0x2800 : unit;
}

export function areEqual(left: Value | undefined, right: Value | undefined): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return left === right;
  }
  if (typeOf(left) !== typeOf(right)) {
    return false;
  }
  if (left instanceof Uint8Array) {
    return Buffer.compare(left, right as Uint8Array) === 0;
  }
  throw new Error('the model of the store compares no lists, maps and sets');
}

/** As DynamoDB names types. */
export function typeOf(value: Value): string {
  if (typeof value !== 'object') {
    return { string: 'S', number: 'N', boolean: 'BOOL' }[typeof value as string] ?? '';
  }
  if (value === null) {
    return 'NULL';
  }
  return value instanceof Uint8Array ? 'B' : value instanceof Set ? 'SS' : Array.isArray(value) ? 'L' : 'M';
}

/** As DynamoDB counts: the bytes of names and values. */
export function sizeOf(item: ModelItem): number {
  let bytes = 0;
  for (const name in item) {
    bytes += Buffer.byteLength(name) + bytesOf(item[name] as Value);
  }
  return bytes;
}

function bytesOf(value: Value): number {
  if (typeof value === 'string') {
    return Buffer.byteLength(value);
  }
  if (typeof value === 'number') {
    // Of a number, AWS says the size approximately.
    return Math.ceil(String(value).length / 2) + 1;
  }
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  if (value instanceof Uint8Array) {
    return value.byteLength;
  }
  if (value instanceof Set) {
    return [...value].reduce((sum, each) => sum + bytesOf(each), 0);
  }
  const bytes = Array.isArray(value)
    ? value.reduce((sum: number, each: Value) => sum + bytesOf(each), 0)
    : sizeOf(value as ModelItem);
  return LIST_BYTES + Object.keys(value).length + bytes;
}
