import type { Client } from '../../shared/client/client.ts';

/** Where agents call the API, and as whom. */
export interface McpService {
  readonly client: Client;
  /** A test key. */
  readonly key: string;
  readonly baseUrl: string;
}
