import type { ProviderSecrets } from '../../shared/store/worlds/provider-secrets.ts';

/** Stores the provider secrets of live worlds, by world id. */
export interface SecretKeeper {
  /** Null if there are none. @throws Error if they are damaged, or if other users may read them */
  read(worldId: string): Promise<ProviderSecrets | null>;
  write(worldId: string, secrets: ProviderSecrets): Promise<void>;
  remove(worldId: string): Promise<void>;
}
