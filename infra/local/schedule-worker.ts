import { parentPort, workerData } from 'node:worker_threads';
import { startSchedule } from './schedule.ts';
import type { ScheduleData, ScheduleMessage } from './schedule-thread.ts';
import { shiftClock } from './shifted-clock.ts';
import { skipSignatures } from './skip-signatures.ts';

/* The thread that schedule-thread.ts starts. */

const { tableName, isEngineOwn, aheadMs } = workerData as ScheduleData;
shiftClock(aheadMs);
if (isEngineOwn) {
  await skipSignatures();
}
const post = (message: ScheduleMessage) => parentPort?.postMessage(message);
const schedule = await startSchedule(tableName, (readUntil) => post({ readUntil }));
parentPort?.once('message', async () => {
  await schedule.stop();
  process.exit();
});
post('started');
