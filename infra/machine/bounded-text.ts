/** A stranger's answer is read so far: a shop that never ends its answer fills no memory. */
export const ANSWER_MAX_BYTES = 64 * 1_024;

/** The text of an answer, as far as it is read. What follows is not waited for. */
export async function boundedText({ body }: Pick<Response, 'body'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= ANSWER_MAX_BYTES) {
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_MAX_BYTES).toString('utf8');
}
