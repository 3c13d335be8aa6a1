import type { BodyOf, CallInput, CallInputOf, ListId, OperationId, PageOf, RowOf } from './operation-id.ts';

/** How often a read is repeated while it is shown: every few seconds, every now and then, or only after a change. */
export type Pace = 'lively' | 'calm' | 'steady';

/** A read of the service, which several parts of the page may show at once. */
export interface ReadRequest<Id extends OperationId = OperationId> extends CallInput {
  readonly operationId: Id;
  /** Default: lively. */
  readonly pace?: Pace;
}

/** What the service responds to a read: null if that is not there yet, or a refusal. */
export interface BodyReader {
  <Id extends ListId>(request: ReadRequest<Id>): PageOf<RowOf<Id>> | null;
  <Id extends OperationId>(request: ReadRequest<Id>): BodyOf<Id> | null;
}

/** A read that sends what its operation takes. */
export function readOf<Id extends OperationId>(
  operationId: Id,
  input?: CallInputOf<Id>,
  pace?: Pace,
): ReadRequest<Id>;
export function readOf(operationId: OperationId, input: CallInput = {}, pace?: Pace): ReadRequest {
  return { operationId, ...input, ...(pace !== undefined && { pace }) };
}
