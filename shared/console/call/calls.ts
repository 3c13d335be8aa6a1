import type { BodyOf, CallInput, CallInputOf, OperationId } from '../../story/operation-id.ts';
import type { ConsoleOperation } from '../../story/read-operations.ts';
import { callTexts } from './call-texts.ts';
import type { Gate, GateResponse } from './gate.ts';

interface CallParts {
  readonly gate: Pick<Gate, 'send'>;
  /** Those that are known at first. */
  readonly operations: readonly ConsoleOperation[];
  readonly newIdempotencyKey: () => string;
  /** Called when the service refuses the key. */
  readonly onUnauthorized: (detail: string) => void;
}

type Values = Readonly<Record<string, unknown>>;

/** Calls an operation of the contract: it takes and responds with what its row says. */
type TypedCall = <Id extends OperationId>(
  operationId: Id,
  input?: CallInputOf<Id>,
) => Promise<GateResponse<BodyOf<Id>>>;

export type Calls = ReturnType<typeof createCalls>;

/** Calls operations by their ids. */
export function createCalls({ gate, operations, newIdempotencyKey, onUnauthorized }: CallParts) {
  let byId = mapById(operations);

  /** Takes the operations as the document describes them. */
  function describe(described: readonly ConsoleOperation[]): void {
    byId = mapById(described);
  }

  function operationOf(id: OperationId): ConsoleOperation {
    const operation = byId.get(id);
    if (operation === undefined) {
      throw new Error(`the document has no ${id}`);
    }
    return operation;
  }

  /** The path of an operation with the values of its parameters and query. */
  function addressOf({ path }: ConsoleOperation, params: Values, query: Values): string {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name] ?? '')));
    return search.size === 0 ? filled : `${filled}?${search}`;
  }

  /** @throws Error with a text for the user, if nothing was sent, no response came, or the key is refused */
  async function send(
    operationId: OperationId,
    { params = {}, query = {}, body }: CallInput = {},
  ): Promise<GateResponse> {
    const operation = operationOf(operationId);
    const response = await gate.send({
      method: operation.method,
      path: addressOf(operation, params, query),
      headers: {
        ...(operation.isIdempotent && { 'Idempotency-Key': newIdempotencyKey() }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      isKeyed: true,
    });
    if (response.status === 401) {
      const detail = response.problem?.detail ?? callTexts.keyRefused;
      onUnauthorized(detail);
      throw new Error(detail);
    }
    return response;
  }

  // Tests hold the service to its contract.
  return { addressOf, send, call: send as TypedCall, describe, operationOf };
}

function mapById(operations: readonly ConsoleOperation[]): ReadonlyMap<string, ConsoleOperation> {
  return new Map(operations.map((operation) => [operation.id, operation]));
}
