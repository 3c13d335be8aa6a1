import type { ProviderSecrets } from '../../shared/store/provider-secrets.ts';

/** Keeps the secrets of live worlds, by the ids of these. */
export interface SecretKeeper {
  /** Null where there are none. @throws Error where they are damaged, or others may read them */
  read(worldId: string): Promise<ProviderSecrets | null>;
  write(worldId: string, secrets: ProviderSecrets): Promise<void>;
  remove(worldId: string): Promise<void>;
}
