/// <reference lib="dom" />

/** Lets the browser save a file. */
export function download(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // Once the browser has begun to save it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
