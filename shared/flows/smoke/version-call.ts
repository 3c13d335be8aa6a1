import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { functionNameOf, type Operation } from '../../contract/operation.ts';
import { VARIABLES } from '../../environment/variables.ts';
import type { SmokeKey } from '../../store/worlds/smoke-key.ts';
import { type SmokeCall, type SmokeRequest, toWire } from './smoke-call.ts';

/** Calls a version of a function by its ARN, and throws where it fails. */
export type InvokeVersion = (version: string, event: object) => Promise<unknown>;

interface VersionCalls extends SmokeKey {
  /** The ARN of the version of each function that is on trial, by the function's name. */
  readonly versions: ReadonlyMap<string, string>;
  readonly invoke: InvokeVersion;
  /** Calls all other operations. */
  readonly otherwise: SmokeCall;
}

/** Calls new versions themselves, with what the gateway would send them: the gateway still leads to the old ones. */
export function toVersions({ versions, invoke, baseUrl, key, otherwise }: VersionCalls): SmokeCall {
  return async (row, request = {}) => {
    const version = versions.get(functionNameOf(row));
    if (version === undefined) {
      return otherwise(row, request);
    }
    const result = (await invoke(
      version,
      gatewayEvent(row, request, { baseUrl, key }),
    )) as APIGatewayProxyResult;
    const text = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8').toString();
    return { status: result.statusCode, text };
  };
}

/** A request as API Gateway passes it to a function. Functions compress nothing, since it accepts no encoding. */
function gatewayEvent(row: Operation, request: SmokeRequest, { baseUrl, key }: SmokeKey): object {
  const { path, headers, body } = toWire(row, request, key);
  return {
    resource: row.path,
    path,
    httpMethod: row.method,
    headers,
    multiValueHeaders: listed(headers),
    pathParameters: request.params ?? null,
    queryStringParameters: request.query ?? null,
    multiValueQueryStringParameters: request.query ? listed(request.query) : null,
    stageVariables: { [VARIABLES.baseUrl]: baseUrl },
    body: body === undefined ? null : Buffer.from(body).toString('base64'),
    isBase64Encoded: body !== undefined,
    requestContext: { path, requestId: randomUUID(), httpMethod: row.method, identity: { sourceIp: '' } },
  };
}

function listed(values: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
}
