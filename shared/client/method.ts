import type * as v from 'valibot';
import type { AnySchema } from '../contract/fields.ts';
import type { Operation, ResponseOf } from '../contract/operation.ts';
import type { operations } from '../contract/operations.ts';
import type { CallOptions } from './call-options.ts';
import type { ClientRow } from './client-rows.ts';
import type { List, PageLike } from './list.ts';

/*
 * The inputs and results of the client's methods, inferred from the rows: an operation that is added to the table
 * becomes a method, with its types, at once.
 */

type Operations = typeof operations;

/** The operations that need a key, by their names in the table. */
export type OperationName = {
  [Name in keyof Operations]: Operations[Name]['permission'] extends null ? never : Name;
}[keyof Operations];

/** One method for each of them: `client.createPayment(…)`. */
export type Methods = { readonly [Name in OperationName]: MethodOf<Operations[Name]> };

/** The response of an operation. */
export type AnswerOf<Name extends OperationName> = ResponseOf<Operations[Name]>;

/** The input of an operation beside the ids of its path: the fields of its body, or of its query. */
export type FieldsOf<Name extends OperationName> = RowFields<Operations[Name]>;

/** The ids of the path, then fields if it takes any, then options. */
type MethodOf<Row extends Operation> = (
  ...args: [...Ids<Row['path']>, ...Optional<RowFields<Row>>, options?: CallOptions | undefined]
) => MethodResult<ResponseOf<Row>>;

type Ids<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...Ids<Rest>]
  : [];

/** The body without the field that repeats the id of the path, which is already an argument of the method. */
type RowFields<Row extends Operation> = Row extends { body: infer Body extends AnySchema }
  ? Omit<v.InferInput<Body>, Row extends { bodyId: infer Id extends string } ? Id : never>
  : Row extends { query: infer Query extends AnySchema }
    ? QueryOf<v.InferInput<Query>, v.InferOutput<Query>>
    : Record<never, never>;

/** A query is text on the wire. The parsed type, such as the number of `limit`, is accepted too. */
type QueryOf<Sent, Read> = {
  [Name in keyof Sent]: Sent[Name] | (Name extends keyof Read ? Read[Name] : never);
};

type Optional<Fields> = keyof Fields extends never
  ? []
  : Partial<Fields> extends Fields
    ? [fields?: Fields | undefined]
    : [fields: Fields];

type MethodResult<Data> = Data extends PageLike<infer Element> ? List<Element, Data> : Promise<Data>;

/** The parsed arguments of a method. */
export interface MethodArguments {
  readonly ids: readonly string[];
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  readonly options: CallOptions;
}

/**
 * Parses the arguments of a row's method.
 * @throws TypeError for an id that would lead to another address
 */
export function readArguments(name: string, row: ClientRow, args: readonly unknown[]): MethodArguments {
  const ids = Array.from({ length: row.ids }, (_, index) => requireId(name, args[index]));
  const rest = args.slice(ids.length);
  const fields = row.takesFields ? rest.shift() : undefined;
  return { ids, fields: fields as MethodArguments['fields'], options: (rest[0] ?? {}) as CallOptions };
}

/** An empty segment is another route, and URL parsers remove segments of dots. */
function requireId(name: string, id: unknown): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) {
    throw new TypeError(`${name} takes an id: a text that is not empty.`);
  }
  return id;
}
