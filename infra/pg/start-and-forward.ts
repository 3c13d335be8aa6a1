import { createClient } from '../../shared/client/client.ts';
import { listen } from '../commands/listen.ts';
import type { StartValues } from '../local/host.ts';

export type ForwardingStart = StartValues & { readonly 'forward-to'?: string; readonly events: string };

/** Starts the service, and forwards its events to a server of this machine where one is named. */
export async function startAndForward(values: ForwardingStart): Promise<void> {
  const { startHost } = await import('../local/host.ts');
  const { service, dir } = await startHost(values);
  if (values['forward-to'] === undefined) {
    return;
  }
  const { key } = service;
  await listen({ client: createClient(service), key, service: null, dir, values });
}
