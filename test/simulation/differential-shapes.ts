import type { StoreCall } from './model-store.ts';
import { typeOf, type Value } from './values.ts';

type Input = StoreCall['input'];

/** What a call is made of, each as a text without names and values: the call itself, its expressions, what it stores. */
export function shapesOf({ operation, input }: StoreCall): string[] {
  const { TransactItems: parts, RequestItems: tables } = input;
  if (parts !== undefined) {
    const writes = (parts as Record<string, Input>[]).flatMap((part) => Object.entries(part));
    const verbs = new Set(writes.map(([verb]) => verb));
    return [`${operation} of ${[...verbs].toSorted()}`, ...writes.flatMap(([, write]) => contentOf(write))];
  }
  if (tables !== undefined) {
    const [content] = Object.values(tables as Record<string, Input | Record<string, Input>[]>);
    const requests = Array.isArray(content) ? content.flatMap((request) => Object.entries(request)) : [];
    return Array.isArray(content)
      ? requests.flatMap(([name, request]) => [`${operation} of ${name}`, ...contentOf(request)])
      : [`${operation} ${settingsOf(content ?? {})}`];
  }
  const isPage = input.ExclusiveStartKey !== undefined;
  return [
    `${operation} ${settingsOf(input)}`,
    ...(isPage ? [`a further page of ${input.IndexName ?? 'the table'}`] : []),
    ...contentOf(input),
  ];
}

function settingsOf(input: Input): string {
  const { KeyConditionExpression: where, ScanIndexForward: isForward } = input;
  const exact = [
    'IndexName',
    'Select',
    'ProjectionExpression',
    'ReturnValues',
    'ReturnValuesOnConditionCheckFailure',
  ];
  return [
    ...exact.flatMap((name) => (input[name] === undefined ? [] : [`${name} ${input[name]}`])),
    ...(input.ConsistentRead === true ? ['consistent'] : []),
    ...(isForward === false ? ['backward'] : []),
    ...(input.Limit === undefined ? [] : ['limited']),
    ...(where === undefined ? [] : [`where ${conditionOf(String(where), input)}`]),
  ].join(', ');
}

/** The expressions of a call or of a part of one, and the types of what is stored by it. */
function contentOf(input: Input): string[] {
  const { ConditionExpression: condition, FilterExpression: filter, UpdateExpression: update } = input;
  return [
    ...(condition === undefined ? [] : [`if ${conditionOf(String(condition), input)}`]),
    ...(filter === undefined ? [] : [`filter ${conditionOf(String(filter), input)}`]),
    ...(update === undefined ? [] : [`update ${updateOf(String(update), input)}`]),
    ...Object.values((input.Item ?? {}) as Record<string, Value>).flatMap((value) =>
      storedIn(value, 'an item'),
    ),
    ...valuesOf(input).flatMap(([, value]) => storedIn(value, 'an expression')),
  ];
}

function valuesOf({ ExpressionAttributeValues: values }: Input): [string, Value][] {
  return Object.entries((values ?? {}) as Record<string, Value>);
}

function storedIn(value: Value | undefined, where: string): string[] {
  const type = kindOf(value);
  const inner = type === 'M' || type === 'L' ? Object.values(value as object) : [];
  return [`${type} in ${where}`, ...inner.flatMap((each: Value) => storedIn(each, type))];
}

function kindOf(value: Value | undefined): string {
  return value === undefined ? 'nothing' : typeof value === 'bigint' ? 'N' : typeOf(value);
}

function anonymous(text: string, input: Input): string {
  const values = new Map(valuesOf(input));
  return text
    .replace(/(?<![:\w])#?[a-z]\w*(\.\w+)?(?![\w(])/g, (_, inner) => (inner === undefined ? 'a' : 'a.a'))
    .replace(/:\w+/g, (name) => `:${kindOf(values.get(name))}`);
}

/** What is said twice is said once, and in no order. */
function conditionOf(text: string, input: Input): string {
  return inAnyOrder(anonymous(text, input).replace(/BETWEEN (\S+) AND/g, 'BETWEEN $1 TO'));
}

function inAnyOrder(condition: string): string {
  for (const word of [' OR ', ' AND ']) {
    const parts = split(condition, word);
    if (parts.length > 1) {
      return [...new Set(parts.map(inAnyOrder))].toSorted().join(word);
    }
  }
  const [, inner] = /^\((.*)\)$/.exec(condition) ?? [];
  return inner === undefined ? condition.replace(/(:\w+)(, \1)+/g, '$1') : `(${inAnyOrder(inner)})`;
}

/** Splits a condition at a word outside of all parentheses. */
function split(condition: string, word: string): string[] {
  const parts: string[] = [];
  for (const piece of condition.split(word)) {
    const last = parts.at(-1);
    if (last !== undefined && last.split('(').length > last.split(')').length) {
      parts[parts.length - 1] = `${last}${word}${piece}`;
    } else {
      parts.push(piece);
    }
  }
  return parts;
}

function updateOf(text: string, input: Input): string {
  return anonymous(text, input)
    .split(/ (?=SET |REMOVE |ADD |DELETE )/)
    .map((clause) => {
      const [, verb, list = ''] = /^(\w+) (.*)$/.exec(clause) ?? [];
      return `${verb} ${[...new Set(list.split(', '))].toSorted().join(', ')}`;
    })
    .join(' ');
}
