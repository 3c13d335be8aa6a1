import { reportSmoke } from '../../shared/flows/smoke/report-smoke.ts';
import { overHttp } from '../../shared/flows/smoke/smoke-call.ts';
import { emptySmokeWorld } from '../../shared/flows/testkit/empty-smoke-world.ts';
import { serveWorker } from '../../shared/http/serve-worker.ts';
import { readSmokeKey } from '../../shared/store/worlds/smoke-key.ts';

/**
 * Every five minutes: takes a payment of test mode as merchants and payers do, over this stage's own address, and
 * once a day deletes those before.
 */
export const handler = serveWorker('smoke', async () => {
  const { baseUrl, key } = await readSmokeKey();
  await reportSmoke(overHttp(baseUrl, key));
  await emptySmokeWorld(Date.now());
});
