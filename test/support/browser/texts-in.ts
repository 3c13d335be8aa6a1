/** Every text of a page, with sample values for its parameters. */
export function textsIn(part: unknown): string[] {
  if (typeof part === 'string') {
    return [part];
  }
  if (typeof part === 'function') {
    return [String(part('฿20.00', '฿90.00'))];
  }
  return Object.values(part as object).flatMap(textsIn);
}
