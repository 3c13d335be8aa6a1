import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Schedule } from './schedule.ts';

/** The input of the thread. */
export interface ScheduleData {
  readonly tableName: string;
  /** Whether this host started the engine. */
  readonly isEngineOwn: boolean;
  /** How far the clock is ahead. */
  readonly aheadMs: number;
}

/** The messages of the thread. It receives only one message: to stop. */
export type ScheduleMessage = 'started' | { readonly readUntil: string };

const GONE_WITHIN_MS = 1_000;

/** A schedule that can end by itself. */
export interface RunningSchedule extends Schedule {
  /** Resolves with the error if it crashes. */
  readonly lost: Promise<Error>;
}

/**
 * Starts the schedule in a separate thread, so that jobs take no time from requests; in this thread, if the machine has
 * a single processor. The environment must be complete first.
 * @param onRead called with the number of the last record that was read from the stream
 */
export async function startScheduleThread(
  workerData: ScheduleData,
  onRead: (sequenceNumber: string) => void,
): Promise<RunningSchedule> {
  const { promise: lost, resolve: lose } = Promise.withResolvers<Error>();
  if (availableParallelism() === 1) {
    const { startSchedule } = await import('./schedule.ts');
    return { ...(await startSchedule(workerData.tableName, onRead)), lost };
  }
  const thread = new Worker(new URL('schedule-worker.ts', import.meta.url), { workerData });
  const started = Promise.withResolvers<void>();
  thread.on('message', (message: ScheduleMessage) =>
    message === 'started' ? started.resolve() : onRead(message.readUntil),
  );
  thread.once('error', (error) => {
    started.reject(error);
    lose(new Error(`The thread of clock and jobs crashed: ${error.stack}`));
  });
  await started.promise;
  return {
    lost,
    stop: async () => {
      thread.postMessage('stop');
      await Promise.race([once(thread, 'exit'), sleep(GONE_WITHIN_MS)]);
      await thread.terminate();
    },
  };
}
