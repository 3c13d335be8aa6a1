/** The secrets that a provider gave out for calls and notifications, by the names that its kind has for them. */
export type ProviderSecrets = Readonly<Record<string, string>>;

/** Reads a world's secrets where they are kept; null where it has none there. */
export type ReadSecrets = (worldId: string, connectedAtMs: number) => Promise<ProviderSecrets | null>;

/**
 * Secrets as they are kept and handed over: a JSON object of texts.
 * @throws Error that repeats nothing of the text
 */
export function parseSecrets(text: string): ProviderSecrets {
  const secrets = parseJson(text);
  const isObject = typeof secrets === 'object' && secrets !== null && !Array.isArray(secrets);
  if (!isObject || !Object.values(secrets).every((value) => typeof value === 'string')) {
    throw new Error('these are no secrets: a JSON object of texts is expected');
  }
  return secrets as ProviderSecrets;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Its error would quote the text.
    return undefined;
  }
}
