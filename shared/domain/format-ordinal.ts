/** The number that people read out to each other: `P-000001`, with more than six digits after 999,999. */
export function formatOrdinal(letter: string, ordinal: number): string {
  return `${letter}-${String(ordinal).padStart(6, '0')}`;
}
