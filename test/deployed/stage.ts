import { randomUUID } from 'node:crypto';
import type { ServiceFile } from '../support/world/host.ts';

/** A stage that was deployed, and a key of a merchant there. */
export interface Stage extends ServiceFile {
  readonly name: string;
  readonly stackName: string;
}

/** The fields that are read here; the contract tests check whole responses. */
interface Body {
  readonly id: string;
  readonly code?: string;
  readonly status?: string;
  readonly errors?: readonly { readonly field: string; readonly code: string }[];
  readonly data: readonly { readonly type?: string }[];
}

/** Sends a request to the API of a stage. */
export async function call(stage: Stage, method: string, address: string, body?: object) {
  const response = await fetch(`${stage.baseUrl}/api/v1${address}`, {
    method,
    headers: {
      Authorization: `Bearer ${stage.key}`,
      ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}
