import { derivedBytes, newSigningSecret } from '../../shared/domain/secret.ts';
import type { ClientConnection } from '../terminal/service.ts';

/** Bytes that are derived from a key for another purpose have another label. */
const LABEL = 'signing secret of forwarded events';
const SHOWN_CHARS = 10;

/**
 * The secret that signs what this machine sends to a receiver: `whsec_…`. It follows from the API key and its world, so
 * it is the same from every folder, by every command and in every order, and is kept nowhere.
 */
export async function readSigningSecret({ client, key }: Pick<ClientConnection, 'client' | 'key'>) {
  const { world } = await client.getKey();
  return newSigningSecret(derivedBytes(key, `${LABEL}\n${world}`));
}

/** What a developer compares with the secret of the receiver: `whsec_AbCd…`. */
export function shownSecret(secret: string): string {
  return `${secret.slice(0, SHOWN_CHARS)}…`;
}
