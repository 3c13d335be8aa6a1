/*
 * The expressions that this service sends to DynamoDB, and no others: conditions, updates and key conditions of
 * attributes at the top of an item. Whatever else is sent throws, so that the model never guesses.
 */

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

/** What an expression names: attributes by `#name`, values by `:value`. */
export interface Names {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Value>>;
}

export type Predicate = (item: ModelItem | undefined, given: Names) => boolean;
type Operand = (item: ModelItem | undefined, given: Names) => Value | undefined;
/** Changes an item. @returns the names of the attributes that it is about */
export type Change = (item: ModelItem, given: Names) => readonly string[];

const TOKEN = /\s*(<=|>=|<>|[=<>(),+-]|[#:]?[A-Za-z_][A-Za-z0-9_]*|[#:]\d+[A-Za-z0-9_]*)/y;

/** Reads the tokens of one expression, from left to right. */
class Tokens {
  readonly #text: string;
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    TOKEN.lastIndex = 0;
    let end = 0;
    for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
      this.#tokens.push(String(match[1]));
      end = TOKEN.lastIndex;
    }
    if (text.slice(end).trim() !== '') {
      this.refuse();
    }
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  next(): string {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token ?? this.refuse();
  }

  /** Takes a word or a sign, if it is the next one. */
  take(word: string): boolean {
    const isNext = this.peek()?.toUpperCase() === word;
    this.#at += isNext ? 1 : 0;
    return isNext;
  }

  expect(word: string): void {
    if (!this.take(word)) {
      this.refuse();
    }
  }

  end(): void {
    if (this.peek() !== undefined) {
      this.refuse();
    }
  }

  refuse(): never {
    throw new Error(`the model of the store does not know this expression: ${this.#text}`);
  }
}

const predicates = new Map<string, Predicate>();
const changes = new Map<string, Change>();

/** A condition, a filter or a key condition. */
export function predicateOf(text: string): Predicate {
  return cached(predicates, text, (tokens) => readOr(tokens));
}

/** An update expression. */
export function changeOf(text: string): Change {
  return cached(changes, text, readChange);
}

function cached<Made>(known: Map<string, Made>, text: string, read: (tokens: Tokens) => Made): Made {
  let made = known.get(text);
  if (made === undefined) {
    const tokens = new Tokens(text);
    made = read(tokens);
    tokens.end();
    known.set(text, made);
  }
  return made;
}

function readOr(tokens: Tokens): Predicate {
  const parts = [readAnd(tokens)];
  while (tokens.take('OR')) {
    parts.push(readAnd(tokens));
  }
  return parts.length === 1
    ? (parts[0] as Predicate)
    : (item, given) => parts.some((part) => part(item, given));
}

function readAnd(tokens: Tokens): Predicate {
  const parts = [readNot(tokens)];
  while (tokens.take('AND')) {
    parts.push(readNot(tokens));
  }
  return parts.length === 1
    ? (parts[0] as Predicate)
    : (item, given) => parts.every((part) => part(item, given));
}

function readNot(tokens: Tokens): Predicate {
  if (tokens.take('NOT')) {
    const inner = readNot(tokens);
    return (item, given) => !inner(item, given);
  }
  if (tokens.take('(')) {
    const inner = readOr(tokens);
    tokens.expect(')');
    return inner;
  }
  return readTest(tokens);
}

const FUNCTIONS: Readonly<Record<string, (operands: readonly (Value | undefined)[]) => boolean>> = {
  attribute_exists: ([value]) => value !== undefined,
  attribute_not_exists: ([value]) => value === undefined,
  attribute_type: ([value, type]) => value !== undefined && typeOf(value) === type,
  begins_with: ([value, start]) => typeof value === 'string' && value.startsWith(String(start)),
  contains: ([value, part]) =>
    value instanceof Set
      ? value.has(String(part))
      : Array.isArray(value)
        ? value.some((each) => areEqual(each, part))
        : typeof value === 'string' && value.includes(String(part)),
};

/** As DynamoDB names types. */
function typeOf(value: Value): string {
  if (typeof value !== 'object') {
    return { string: 'S', number: 'N', boolean: 'BOOL' }[typeof value as string] ?? '';
  }
  if (value === null) {
    return 'NULL';
  }
  return value instanceof Uint8Array ? 'B' : value instanceof Set ? 'SS' : Array.isArray(value) ? 'L' : 'M';
}

function readTest(tokens: Tokens): Predicate {
  const word = tokens.next();
  const test = FUNCTIONS[word];
  if (test !== undefined) {
    tokens.expect('(');
    const operands = readList(tokens, () => readOperand(tokens, tokens.next()));
    tokens.expect(')');
    return (item, given) => test(operands.map((operand) => operand(item, given)));
  }
  const left = readOperand(tokens, word);
  if (tokens.take('BETWEEN')) {
    const from = readOperand(tokens, tokens.next());
    tokens.expect('AND');
    const to = readOperand(tokens, tokens.next());
    return (item, given) => {
      const value = left(item, given);
      return compares(value, '>=', from(item, given)) && compares(value, '<=', to(item, given));
    };
  }
  if (tokens.take('IN')) {
    tokens.expect('(');
    const among = readList(tokens, () => readOperand(tokens, tokens.next()));
    tokens.expect(')');
    return (item, given) => among.some((operand) => compares(left(item, given), '=', operand(item, given)));
  }
  const sign = tokens.next();
  const right = readOperand(tokens, tokens.next());
  return (item, given) => compares(left(item, given), sign, right(item, given));
}

function readList<Part>(tokens: Tokens, read: () => Part): Part[] {
  const parts = [read()];
  while (tokens.take(',')) {
    parts.push(read());
  }
  return parts;
}

function readOperand(tokens: Tokens, word: string): Operand {
  if (word.startsWith(':')) {
    return (_, { values }) => (word in values ? values[word] : tokens.refuse());
  }
  if (word.startsWith('#')) {
    return (item, { names }) => (names[word] === undefined ? tokens.refuse() : item?.[names[word]]);
  }
  return /^[A-Za-z]/.test(word) ? (item) => item?.[word] : tokens.refuse();
}

/** Values of different types are never equal, nor one before the other; nothing is compared with what is not there. */
export function compares(left: Value | undefined, sign: string, right: Value | undefined): boolean {
  if (sign === '=') {
    return left !== undefined && areEqual(left, right);
  }
  if (sign === '<>') {
    return !areEqual(left, right);
  }
  const isOrdered = typeof left === typeof right && (typeof left === 'number' || typeof left === 'string');
  if (!isOrdered) {
    return false;
  }
  const order = orderOf(left as number | string, right as number | string);
  return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[sign] ?? unknownSign(sign);
}

function unknownSign(sign: string): never {
  throw new Error(`the model of the store does not know the comparison ${sign}`);
}

/** Numbers by size, texts by their bytes in UTF-8. */
export function orderOf(left: number | string, right: number | string): number {
  if (left === right) {
    return 0;
  }
  // UTF-16 sorts as UTF-8 does, but for surrogates.
  const isPlain = typeof left === 'number' || !/[\ud800-\uffff]/.test(left + right);
  return isPlain ? (left < right ? -1 : 1) : Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
}

export function areEqual(left: Value | undefined, right: Value | undefined): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return left === right;
  }
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (left instanceof Set) {
    return right instanceof Set && left.size === right.size && [...left].every((each) => right.has(each));
  }
  const [mine, other] = [Object.entries(left), Object.entries(right)];
  return (
    Array.isArray(left) === Array.isArray(right) &&
    mine.length === other.length &&
    mine.every(([name, value]) => areEqual(value, (right as Record<string, Value>)[name]))
  );
}

type Act = (item: ModelItem, old: ModelItem, given: Names) => string;

/** The clauses of an update; every right side is of the item as it was. */
function readChange(tokens: Tokens): Change {
  const acts: Act[] = [];
  while (tokens.peek() !== undefined) {
    const clause = tokens.next().toUpperCase();
    acts.push(...readList(tokens, () => readAct(tokens, clause)));
  }
  return (item, given) => {
    const old = { ...item };
    return acts.map((act) => act(item, old, given));
  };
}

function readAct(tokens: Tokens, clause: string): Act {
  const word = tokens.next();
  const nameOf = ({ names }: Names) => (word.startsWith('#') ? (names[word] ?? tokens.refuse()) : word);
  if (clause === 'REMOVE') {
    return (item, _, given) => {
      const name = nameOf(given);
      delete item[name];
      return name;
    };
  }
  if (clause === 'SET') {
    tokens.expect('=');
    const value = readSum(tokens);
    return (item, old, given) => {
      const name = nameOf(given);
      item[name] = value(old, given) ?? tokens.refuse();
      return name;
    };
  }
  const operand = readOperand(tokens, tokens.next());
  const combine = { ADD: added, DELETE: without }[clause] ?? tokens.refuse();
  return (item, old, given) => {
    const name = nameOf(given);
    const next = combine(old[name], operand(old, given)) ?? tokens.refuse();
    if (next instanceof Set && next.size === 0) {
      delete item[name];
    } else {
      item[name] = next;
    }
    return name;
  };
}

/** One operand, or the sum or the difference of two. */
function readSum(tokens: Tokens): Operand {
  const left = readOperand(tokens, tokens.next());
  const sign = tokens.take('+') ? 1 : tokens.take('-') ? -1 : 0;
  if (sign === 0) {
    return left;
  }
  const right = readOperand(tokens, tokens.next());
  return (item, given) => {
    const [one, other] = [left(item, given), right(item, given)];
    return typeof one === 'number' && typeof other === 'number' ? one + sign * other : tokens.refuse();
  };
}

function added(value: Value | undefined, more: Value | undefined): Value | undefined {
  if (typeof more === 'number' && (value === undefined || typeof value === 'number')) {
    return (value ?? 0) + more;
  }
  return more instanceof Set && (value === undefined || value instanceof Set)
    ? new Set([...(value ?? []), ...more])
    : undefined;
}

function without(value: Value | undefined, less: Value | undefined): Value | undefined {
  return less instanceof Set && (value === undefined || value instanceof Set)
    ? new Set([...(value ?? [])].filter((each) => !less.has(each)))
    : undefined;
}
