import type { InferInput } from 'valibot';
import type { AnySchema } from '../contract/fields.ts';
import type { ResponseOf } from '../contract/operation.ts';
import type { operations } from '../contract/operations.ts';

/*
 * What the contract's rows say of an operation, as types alone: the page holds no schema. An operation, a field or a
 * filter that is renamed there does not compile here.
 */

type OperationRows = typeof operations;
type ById = { readonly [Name in keyof OperationRows as OperationRows[Name]['id']]: OperationRows[Name] };

export type OperationId = keyof ById;

type Bodies = { readonly [Id in OperationId]: ResponseOf<ById[Id]> };
/** What an operation responds with if it succeeds. */
export type BodyOf<Id extends OperationId> = Bodies[Id];

/** A page of a list. */
export interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}
export type ListId = { [Id in OperationId]: Bodies[Id] extends PageOf<object> ? Id : never }[OperationId];
/** What a list lists. */
export type RowOf<Id extends ListId> = Bodies[Id] extends PageOf<infer Row> ? Row : never;

/** What is sent to an operation that is known only when the page runs. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type ParamIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamIn<Rest> : never;
type SentIn<Schema> = Schema extends AnySchema ? InferInput<Schema> : never;
type QueryFieldsOf<Id extends OperationId> = ById[Id] extends { readonly query: infer Query }
  ? SentIn<Query>
  : object;

/** The fields of the body that an operation takes. */
export type BodyFieldsOf<Id extends OperationId> = ById[Id] extends { readonly body: infer Body }
  ? SentIn<Body>
  : never;

type NamesIn<Fields> = Fields extends object ? keyof Fields : never;
export type FieldNameOf<Id extends OperationId> = NamesIn<BodyFieldsOf<Id>>;

/** What is sent to an operation: the ids of its path, its query and its body. */
export interface CallInputOf<Id extends OperationId> {
  readonly params?: Readonly<Record<ParamIn<ById[Id]['path']>, string>>;
  readonly query?: { readonly [Name in keyof QueryFieldsOf<Id>]?: string };
  readonly body?: BodyFieldsOf<Id>;
}
