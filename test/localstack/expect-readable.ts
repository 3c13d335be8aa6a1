import { gunzipSync } from 'node:zlib';
import { operations } from '../../shared/contract/operations.ts';
import type { Stage } from '../deployed/stage.ts';
import { sendRaw } from '../support/world/raw-request.ts';

/** From this length on, a function compresses its response. */
const LONG_BYTES = 8 * 1_024;
const ACCEPTED = ['*/*', 'application/json', null];

/**
 * Reads a long response as clients do that accept gzip: LocalStack does not decode base64 for the binary media type
 * of all types.
 * @throws Error where one of them cannot read it
 */
export async function expectReadable({ baseUrl }: Stage): Promise<void> {
  for (const accept of ACCEPTED) {
    const accepts = accept === null ? [] : [['Accept', accept] as const];
    const { status, headers, bytes } = await sendRaw(`${baseUrl}${operations.getOpenApi.path}`, {
      lines: [['Accept-Encoding', 'gzip'], ...accepts],
    });
    try {
      const text = headers.get('content-encoding') === 'gzip' ? gunzipSync(bytes) : bytes;
      if (status !== 200 || text.length < LONG_BYTES || JSON.parse(text.toString()).openapi === undefined) {
        throw new Error(`it is no description of the API, but ${text.length} bytes`);
      }
    } catch (error) {
      const start = bytes.subarray(0, 40).toString('latin1');
      throw new Error(
        `with Accept ${accept ?? 'left out'}, a long response (${status}) cannot be read: ${(error as Error).message}. It begins with ${start}`,
      );
    }
  }
}
