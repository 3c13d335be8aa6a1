/** What another program sends is read so far: a body without an end fills no memory. */
const BODY_MAX_BYTES = 64 * 1_024;

interface BodySource {
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** A response or a request, as far as it is read. What follows is not waited for. */
export async function boundedBytes({ body }: BodySource): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the body, and with it its connection.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= BODY_MAX_BYTES) {
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, BODY_MAX_BYTES);
}

/** The text of a response or a request, as far as it is read. */
export async function boundedText(message: BodySource): Promise<string> {
  return (await boundedBytes(message)).toString('utf8');
}
