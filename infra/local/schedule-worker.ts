import { parentPort, workerData } from 'node:worker_threads';
import { startSchedule } from './schedule.ts';
import type { ScheduleData, ScheduleMessage } from './schedule-thread.ts';

/* The thread that schedule-thread.ts starts. */

const { tableName } = workerData as ScheduleData;
const tell = (message: ScheduleMessage) => parentPort?.postMessage(message);
const schedule = await startSchedule(tableName, (readUntil) => tell({ readUntil }));
parentPort?.once('message', async () => {
  await schedule.stop();
  process.exit();
});
tell('started');
