import { areEqual, type ModelItem, orderOf, plain, requireExact, typeOf, type Value } from './values.ts';

/*
 * The expressions that this service sends to DynamoDB, and no others. Whatever else is sent throws, so that the model
 * never guesses.
 */

export type { ModelItem } from './values.ts';

/** What an expression names: attributes by `#name`, values by `:value`. */
export interface Names {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Value>>;
}

export type Predicate = (item: ModelItem | undefined, given: Names) => boolean;
type Operand = (item: ModelItem | undefined, given: Names) => Value | undefined;
/** Changes an item. @returns the names of the attributes that it is about */
export type ItemChange = (item: ModelItem, given: Names) => readonly string[];
/** The part of a partition that a key condition asks for, of a table or an index with these keys. */
type RangeOf = (given: Names, keys: { readonly partitionKey: string; readonly sortKey: string }) => KeyRange;

/** A part of a partition, in the order of its sort keys. */
export interface KeyRange {
  readonly pk: string;
  readonly isBefore: (sk: string) => boolean;
  readonly isAfter: (sk: string) => boolean;
}

/** An expression that was read. */
export interface Expression<Run> {
  readonly run: Run;
  /** `#name` and `:value`, as the text has them. */
  readonly uses: ReadonlySet<string>;
}

const TOKEN = /\s*(<=|>=|<>|[=<>(),+-]|[#:][A-Za-z0-9_]+|[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*)/y;

/** Reads the tokens of one expression, from left to right. */
class Tokens {
  readonly #text: string;
  readonly #tokens: string[] = [];
  #at = 0;
  /** The last one that was read, with its parentheses. */
  #group = { from: -1, end: -1 };

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

  get uses(): ReadonlySet<string> {
    return new Set(this.#tokens.filter((token) => /^[#:]/.test(token)));
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

  /** Reads what is in parentheses, after the first of them. */
  group<Part>(read: () => Part): Part {
    const from = this.#at;
    const part = read();
    if (this.#group.from === from && this.#group.end === this.#at) {
      throw invalid('The expression has redundant parentheses');
    }
    this.expect(')');
    this.#group = { from: from - 1, end: this.#at };
    return part;
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

/** A condition or a filter. */
export const predicateOf = reader(readOr);
/** An update expression. */
export const changeOf = reader(readChange);
/** A key condition. */
export const keyConditionOf = reader(readKeyCondition);

function reader<Run>(read: (tokens: Tokens) => Run): (text: string) => Expression<Run> {
  const known = new Map<string, Expression<Run>>();
  return (text) => {
    let expression = known.get(text);
    if (expression === undefined) {
      const tokens = new Tokens(text);
      expression = { run: read(tokens), uses: tokens.uses };
      tokens.end();
      known.set(text, expression);
    }
    return expression;
  };
}

/** The error for what AWS does not accept. */
export function invalid(message: string): Error {
  return Object.assign(new Error(message), { name: 'ValidationException' });
}

function readOr(tokens: Tokens): Predicate {
  const parts = [readAnd(tokens)];
  while (tokens.take('OR')) {
    parts.push(readAnd(tokens));
  }
  const [only] = parts;
  return only !== undefined && parts.length === 1
    ? only
    : (item, given) => parts.some((part) => part(item, given));
}

function readAnd(tokens: Tokens): Predicate {
  const parts = [readNot(tokens)];
  while (tokens.take('AND')) {
    parts.push(readNot(tokens));
  }
  const [only] = parts;
  return only !== undefined && parts.length === 1
    ? only
    : (item, given) => parts.every((part) => part(item, given));
}

function readNot(tokens: Tokens): Predicate {
  if (tokens.take('NOT')) {
    const inner = readNot(tokens);
    return (item, given) => !inner(item, given);
  }
  if (tokens.take('(')) {
    return tokens.group(() => readOr(tokens));
  }
  return readTest(tokens);
}

const FUNCTIONS: Readonly<Record<string, (value: Value | undefined, operand: Value | undefined) => boolean>> =
  {
    attribute_exists: (value) => value !== undefined,
    attribute_not_exists: (value) => value === undefined,
    attribute_type: (value, type) => value !== undefined && typeOf(value) === type,
    contains: (value, part) =>
      value instanceof Set
        ? value.has(String(part))
        : Array.isArray(value)
          ? value.some((each) => areEqual(each, part))
          : typeof value === 'string' && value.includes(String(part)),
  };

function readTest(tokens: Tokens): Predicate {
  const word = tokens.next();
  const test = FUNCTIONS[word];
  if (test !== undefined) {
    tokens.expect('(');
    const [value, operand = () => undefined, ...others] = readList(tokens, () => readOperand(tokens));
    tokens.expect(')');
    return value === undefined || others.length > 0
      ? tokens.refuse()
      : (item, given) => test(value(item, given), operand(item, given));
  }
  const left = toOperand(tokens, word);
  if (tokens.take('IN')) {
    tokens.expect('(');
    const among = readList(tokens, () => readOperand(tokens));
    tokens.expect(')');
    return (item, given) => among.some((operand) => areAlike(left(item, given), operand(item, given)));
  }
  const compare = COMPARISONS[tokens.next()] ?? tokens.refuse();
  const right = readOperand(tokens);
  return (item, given) => compare(left(item, given), right(item, given));
}

/** Nothing is equal to what is not there. */
function areAlike(left: Value | undefined, right: Value | undefined): boolean {
  return left !== undefined && areEqual(left, right);
}

type Compare = (left: Value | undefined, right: Value | undefined) => boolean;

/** Of values of different types, or of what is not there, none is before the other. */
const COMPARISONS: Readonly<Record<string, Compare>> = {
  '=': areAlike,
  '<>': (left, right) => !areAlike(left, right),
  '<': inOrder((order) => order < 0),
  '<=': inOrder((order) => order <= 0),
  '>': inOrder((order) => order > 0),
  '>=': inOrder((order) => order >= 0),
};

function inOrder(isMet: (order: number) => boolean): Compare {
  return (left, right) => {
    const isOrdered = typeof left === typeof right && (typeof left === 'number' || typeof left === 'string');
    return isOrdered && isMet(orderOf(left, right as typeof left));
  };
}

type Bounds = Omit<KeyRange, 'pk'>;

const NEVER = () => false;
const BOUNDS: Readonly<Record<string, (sk: string) => Bounds>> = {
  '<': (end) => ({ isBefore: NEVER, isAfter: (sk) => orderOf(sk, end) >= 0 }),
  '<=': (last) => ({ isBefore: NEVER, isAfter: (sk) => orderOf(sk, last) > 0 }),
  '=': (only) => ({ isBefore: (sk) => orderOf(sk, only) < 0, isAfter: (sk) => orderOf(sk, only) > 0 }),
  '>=': (first) => ({ isBefore: (sk) => orderOf(sk, first) < 0, isAfter: NEVER }),
  '>': (last) => ({ isBefore: (sk) => orderOf(sk, last) <= 0, isAfter: NEVER }),
};

function readKeyCondition(tokens: Tokens): RangeOf {
  const partitionName = readName(tokens);
  tokens.expect('=');
  const partition = readText(tokens);
  const [sortName, bounds] = tokens.take('AND')
    ? readBounds(tokens)
    : [null, () => ({ isBefore: NEVER, isAfter: NEVER })];
  return (given, { partitionKey, sortKey }) => {
    const areKeys = partitionName(given) === partitionKey && (sortName?.(given) ?? sortKey) === sortKey;
    return areKeys ? { pk: partition(given), ...bounds(given) } : tokens.refuse();
  };
}

type Name = (given: Names) => string;

function readBounds(tokens: Tokens): readonly [Name, (given: Names) => Bounds] {
  if (tokens.take('BEGINS_WITH')) {
    tokens.expect('(');
    const name = readName(tokens);
    tokens.expect(',');
    const start = readText(tokens);
    tokens.expect(')');
    return [name, (given) => startingWith(start(given))];
  }
  const name = readName(tokens);
  if (tokens.take('BETWEEN')) {
    const from = readText(tokens);
    tokens.expect('AND');
    const to = readText(tokens);
    return [name, (given) => between(from(given), to(given))];
  }
  const boundsOf = BOUNDS[tokens.next()] ?? tokens.refuse();
  const sk = readText(tokens);
  return [name, (given) => boundsOf(sk(given))];
}

function startingWith(start: string): Bounds {
  return {
    isBefore: (sk) => orderOf(sk, start) < 0,
    isAfter: (sk) => orderOf(sk, start) > 0 && !sk.startsWith(start),
  };
}

function between(from: string, to: string): Bounds {
  if (orderOf(from, to) > 0) {
    throw invalid('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
  }
  return { isBefore: (sk) => orderOf(sk, from) < 0, isAfter: (sk) => orderOf(sk, to) > 0 };
}

/** The name of an attribute at the top of an item. */
function readName(tokens: Tokens): Name {
  const word = tokens.next();
  if (word.startsWith(':') || word.includes('.')) {
    tokens.refuse();
  }
  return ({ names }) => (word.startsWith('#') ? String(names[word]) : word);
}

/** The text of a key. */
function readText(tokens: Tokens): (given: Names) => string {
  const operand = readOperand(tokens);
  return (given) => {
    const value = operand(undefined, given);
    if (typeof value !== 'string' || value === '') {
      throw invalid('A key is a text that is not empty');
    }
    return value;
  };
}

function readList<Part>(tokens: Tokens, read: () => Part): Part[] {
  const parts = [read()];
  while (tokens.take(',')) {
    parts.push(read());
  }
  return parts;
}

function readOperand(tokens: Tokens): Operand {
  return toOperand(tokens, tokens.next());
}

/** Of an attribute by its name, of one in a map by its path, or of a value. */
function toOperand(tokens: Tokens, word: string): Operand {
  if (word.startsWith(':')) {
    return (_, { values }) => values[word];
  }
  if (word.startsWith('#')) {
    return (item, { names }) => item?.[String(names[word])];
  }
  const [name = '', ...path] = /^[A-Za-z]/.test(word) ? word.split('.') : tokens.refuse();
  return path.length === 0
    ? (item) => item?.[name]
    : (item) => path.reduce((value, inner) => memberOf(value, inner), item?.[name]);
}

function memberOf(value: Value | undefined, name: string): Value | undefined {
  return value !== undefined && typeOf(value) === 'M' ? (value as ModelItem)[name] : undefined;
}

type Act = (item: ModelItem, old: ModelItem, given: Names) => string;

/** The clauses of an update; every right side is of the item as it was. */
function readChange(tokens: Tokens): ItemChange {
  const acts: Act[] = [];
  while (tokens.peek() !== undefined) {
    const clause = tokens.next().toUpperCase();
    acts.push(...readList(tokens, () => readAct(tokens, clause)));
  }
  return (item, given) => {
    const old = { ...item };
    const names = acts.map((act) => act(item, old, given));
    if (names.length > 1 && new Set(names).size < names.length) {
      throw invalid('an attribute is changed twice at once');
    }
    return names;
  };
}

function readAct(tokens: Tokens, clause: string): Act {
  const nameOf = readName(tokens);
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
      item[name] = plain(value(old, given)) as Value;
      return name;
    };
  }
  const operand = readOperand(tokens);
  const combine = { ADD: added, DELETE: without }[clause] ?? tokens.refuse();
  return (item, old, given) => {
    const name = nameOf(given);
    const next = combine(old[name], operand(old, given) as Value);
    if (next === undefined || (next instanceof Set && next.size === 0)) {
      delete item[name];
    } else {
      item[name] = next;
    }
    return name;
  };
}

/** One operand, or the sum or the difference of two. */
function readSum(tokens: Tokens): Operand {
  const operand = () => {
    const one = readOperand(tokens);
    return (item: ModelItem | undefined, given: Names) => {
      const value = one(item, given);
      if (value === undefined) {
        throw invalid('The provided expression refers to an attribute that does not exist in the item');
      }
      return value;
    };
  };
  const left = operand();
  const sign = tokens.take('+') ? 1 : tokens.take('-') ? -1 : 0;
  if (sign === 0) {
    return left;
  }
  const right = operand();
  return (item, given) => {
    const [one, other] = [left(item, given), right(item, given)];
    return typeof one === 'number' && typeof other === 'number'
      ? requireExact(one + sign * other)
      : refuseTypes();
  };
}

function refuseTypes(): never {
  throw invalid('An operand in the update expression has an incorrect data type');
}

function added(value: Value | undefined, more: Value): Value {
  if (typeof more === 'number' && (value === undefined || typeof value === 'number')) {
    return requireExact((value ?? 0) + more);
  }
  return more instanceof Set && (value === undefined || value instanceof Set)
    ? new Set([...(value ?? []), ...more])
    : refuseTypes();
}

function without(value: Value | undefined, less: Value): Value | undefined {
  return less instanceof Set && (value === undefined || value instanceof Set)
    ? value && new Set([...value].filter((each) => !less.has(each)))
    : refuseTypes();
}
