import { parentPort } from 'node:worker_threads';
import { MINUTE_MS } from '../../shared/domain/clock.ts';
import { storePayments, untilCreated } from './engine-file.ts';
import { openMerchant, startOwnStore, startReceiver } from './own-store.ts';

/* In a thread of its own: how many jobs a second one runner runs of one merchant, whose payments were just created.
 * Posts that number. */

const PAYMENTS = 200;

const { table, stop } = await startOwnStore({ isMetered: false });
const receiver = await startReceiver();
const { documents } = await import('../../shared/store/client.ts');
const { runWorld } = await import('../../shared/flows/run-world.ts');
const merchant = await openMerchant('busy');
await storePayments(table, documents, merchant, PAYMENTS, untilCreated);
let jobs = 0;
const startedAt = performance.now();
await runWorld(merchant.world.id, receiver.url, MINUTE_MS, ({ jobsRun }) => {
  jobs += jobsRun;
});
const seconds = (performance.now() - startedAt) / 1_000;
receiver.stop();
await stop();
parentPort?.postMessage(jobs / seconds);
