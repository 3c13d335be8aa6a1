import type { ConsoleOperation } from '../../story/read-operations.ts';
import type { CallInput } from '../../story/read-request.ts';
import type { Gate, GateAnswer } from './gate.ts';

interface CallParts {
  readonly gate: Pick<Gate, 'send'>;
  /** Those that are known at first. */
  readonly operations: readonly ConsoleOperation[];
  readonly newIdempotencyKey: () => string;
  /** Called when the service refuses the key. */
  readonly onUnauthorized: (detail: string) => void;
}

type Values = Readonly<Record<string, unknown>>;

export type Calls = ReturnType<typeof createCalls>;

/** Calls operations by their ids. */
export function createCalls({ gate, operations, newIdempotencyKey, onUnauthorized }: CallParts) {
  let byId = mapById(operations);

  /** Takes the operations as the document describes them. */
  function describe(described: readonly ConsoleOperation[]): void {
    byId = mapById(described);
  }

  function operationOf(id: string): ConsoleOperation {
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
  async function call(
    operationId: string,
    { params = {}, query = {}, body }: CallInput = {},
  ): Promise<GateAnswer> {
    const operation = operationOf(operationId);
    const answer = await gate.send({
      method: operation.method,
      path: addressOf(operation, params, query),
      headers: {
        ...(operation.isIdempotent && { 'Idempotency-Key': newIdempotencyKey() }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      isKeyed: true,
    });
    if (answer.status === 401) {
      const detail = answer.json?.detail ?? 'The key was refused.';
      onUnauthorized(detail);
      throw new Error(detail);
    }
    return answer;
  }

  return { addressOf, call, describe, operationOf };
}

function mapById(operations: readonly ConsoleOperation[]): ReadonlyMap<string, ConsoleOperation> {
  return new Map(operations.map((operation) => [operation.id, operation]));
}
