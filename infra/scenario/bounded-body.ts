/** What a stranger sends is read so far: one that never ends it fills no memory. */
export const ANSWER_MAX_BYTES = 64 * 1_024;

interface BodySource {
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** An answer or a request, as far as it is read. What follows is not waited for. */
export async function boundedBytes({ body }: BodySource): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the body, and with it its connection.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= ANSWER_MAX_BYTES) {
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_MAX_BYTES);
}

/** The same as text. */
export async function boundedText(message: BodySource): Promise<string> {
  return (await boundedBytes(message)).toString('utf8');
}
