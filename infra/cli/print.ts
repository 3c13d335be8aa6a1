/** Prints the outcome of a command: as JSON, or in words. */
export function print(asJson: boolean, data: unknown, words: string): void {
  console.log(asJson ? JSON.stringify(data, null, 2) : words);
}
