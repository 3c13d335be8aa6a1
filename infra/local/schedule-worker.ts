import { parentPort, workerData } from 'node:worker_threads';
import { collectWhenIdle } from './collect-when-idle.ts';
import { loadWorker } from './function.ts';
import { type Schedule, startSchedule } from './schedule.ts';
import type { ScheduleData, ScheduleMessage, ScheduleOrder } from './schedule-thread.ts';
import { shareEngine } from './share-engine.ts';
import { shiftClock } from './shifted-clock.ts';
import { skipSignatures } from './skip-signatures.ts';

/* The thread that schedule-thread.ts starts. */

/** The workers that every service needs at once: loaded while the engine starts. */
const NEEDED = ['clock-tick', 'job-runner'];

const { tableName, isEngineOwn, aheadMs } = workerData as ScheduleData;
const post = (message: ScheduleMessage) => parentPort?.postMessage(message);
let schedule: Schedule | undefined;

shiftClock(aheadMs);
collectWhenIdle();
const loading = Promise.all([
  ...NEEDED.map((name) => loadWorker(name)),
  ...(isEngineOwn ? [skipSignatures(), shareEngine()] : []),
]);
parentPort?.on('message', async (order: ScheduleOrder) => {
  if (order === 'stop') {
    await schedule?.stop();
    process.exit();
  }
  await loading;
  schedule = await startSchedule(tableName, (readUntil) => post({ readUntil }));
  post('begun');
});
