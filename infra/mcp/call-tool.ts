import type { CallToolResult } from '@modelcontextprotocol/server';
import { ConnectionError, ProblemError } from '../../shared/client/call-error.ts';
import type { Client } from '../../shared/client/client.ts';
import { CHECK_SERVICE, failureFields } from '../terminal/failure-fields.ts';
import { KEY_ARGUMENT } from './operation-schemas.ts';
import { dataResult, errorResult } from './tool-result.ts';
import type { OperationTool } from './tools.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Calls the operation of a tool. Whatever refuses the call becomes a result that a model can read: the problem of the
 * service, or what is wrong with the arguments.
 * @throws the signal's reason, once the host has canceled the call
 */
export async function callTool(
  client: Client,
  called: OperationTool,
  given: Arguments,
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    return dataResult(await invoke(client, called, given, signal));
  } catch (error) {
    signal.throwIfAborted();
    return errorResult(describeFailure(error, called));
  }
}

async function invoke(
  client: Client,
  { name, row, ids, tool }: OperationTool,
  given: Arguments,
  signal: AbortSignal,
): Promise<object> {
  const { properties = {} } = tool.inputSchema;
  const unknown = Object.keys(given).filter((argument) => !Object.hasOwn(properties, argument));
  if (unknown.length > 0) {
    const known = Object.keys(properties).join(', ') || 'none';
    throw new TypeError(`${name} does not take ${unknown.join(', ')}. Its arguments: ${known}.`);
  }
  const missing = ids.filter((argument) => typeof given[argument] !== 'string');
  if (missing.length > 0) {
    throw new TypeError(`${name} takes ${missing.join(' and ')}: a text that is not empty.`);
  }
  const { [KEY_ARGUMENT]: idempotencyKey, ...sent } = given;
  const fields = Object.fromEntries(Object.entries(sent).filter(([argument]) => !ids.includes(argument)));
  const method = client[name] as (...args: unknown[]) => PromiseLike<object>;
  const options = {
    signal,
    ...(idempotencyKey !== undefined && { idempotencyKey: requireKey(idempotencyKey) }),
  };
  return await method(
    ...ids.map((argument) => given[argument]),
    ...(row.takesFields ? [fields] : []),
    options,
  );
}

/** The service checks the form. What is no header cannot be sent to it. */
function requireKey(key: unknown): string {
  if (typeof key !== 'string' || !/^[\x20-\x7e]+$/.test(key)) {
    throw new TypeError(`${KEY_ARGUMENT} takes printable ASCII characters.`);
  }
  return key;
}

function describeFailure(error: unknown, { name }: OperationTool): object {
  if (error instanceof ProblemError) {
    return failureFields(error);
  }
  if (error instanceof ConnectionError) {
    const { detail, ...fields } = failureFields(error);
    const again =
      error.idempotencyKey === null
        ? ''
        : ` The call may have taken effect. To repeat it safely, call ${name} with the same arguments and this ${KEY_ARGUMENT}.`;
    return { ...fields, detail: `${detail} ${CHECK_SERVICE}${again}` };
  }
  return { detail: error instanceof Error ? error.message : String(error) };
}
