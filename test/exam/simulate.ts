import { signerOf } from '../../infra/events/signing-secret.ts';
import { readShopWays, type StoryReport, simulateStory } from '../../infra/simulation/simulate-story.ts';
import type { SimulationForm } from '../../infra/simulation/tell-story.ts';
import { createClient } from '../../shared/client/client.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';

/** A running shop, and a key of its own that makes the worlds of its stories. */
export async function readyShop(url: string, secret: string, patienceMs?: number) {
  const shop = { receiver: `${url}/webhooks`, order: `${url}/orders`, probe: `${url}/probe` };
  const form: SimulationForm = { shop, signer: signerOf(secret), ...(patienceMs && { patienceMs }) };
  const client = createClient({ baseUrl, key: (await newKey()).secret });
  const service = { client, baseUrl };
  return { service, form, ways: await readShopWays(service, form) };
}

/** Tells a shop the stories of seeds until one breaks a law. @returns the last report */
export async function simulate(
  { service, form, ways }: Awaited<ReturnType<typeof readyShop>>,
  seeds: readonly number[],
): Promise<StoryReport | undefined> {
  let last: StoryReport | undefined;
  for (const seed of seeds) {
    last = await simulateStory(service, form, ways, seed);
    if (last.failure !== null) {
      break;
    }
  }
  return last;
}
