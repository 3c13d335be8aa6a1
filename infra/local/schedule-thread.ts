import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { Schedule } from './schedule.ts';

/** The input of the thread. */
export interface ScheduleData {
  readonly tableName: string;
  /** Whether this host started the engine. */
  readonly isEngineOwn: boolean;
  /** How far the clock is ahead. */
  readonly aheadMs: number;
}

/** What the thread is told. */
export type ScheduleOrder = 'begin' | 'stop';
/** What it tells. */
export type ScheduleMessage = 'begun' | { readonly readUntil: string };

const GONE_WITHIN_MS = 1_000;

/** The file of the thread, where that is built. */
declare const BUILT_WORKER: string | undefined;
const WORKER = typeof BUILT_WORKER === 'undefined' ? 'schedule-worker.ts' : BUILT_WORKER;

/** A schedule that loads what it needs at once, waits for the store, and can end by itself. */
export interface WaitingSchedule extends Schedule {
  /** Begins to read the table. The environment must be complete by then. */
  begin(): Promise<void>;
  /** Resolves with the error if it crashes. */
  readonly lost: Promise<Error>;
}

/**
 * Prepares the schedule in a separate thread, so that jobs take no time from requests; in this thread, if the machine
 * has a single processor.
 * @param onRead called with the number of the last record that was read from the stream
 */
export function prepareSchedule(
  workerData: ScheduleData,
  onRead: (sequenceNumber: string) => void,
): WaitingSchedule {
  const { promise: lost, resolve: lose } = Promise.withResolvers<Error>();
  if (availableParallelism() === 1) {
    let running: Schedule | undefined;
    return {
      lost,
      begin: async () => {
        const { startSchedule } = await import('./schedule.ts');
        running = await startSchedule(workerData.tableName, onRead);
      },
      stop: async () => running?.stop(),
    };
  }
  const thread = new Worker(new URL(WORKER, import.meta.url), { workerData, env: SHARE_ENV });
  const begun = Promise.withResolvers<void>();
  begun.promise.catch(() => undefined);
  thread.on('message', (message: ScheduleMessage) =>
    message === 'begun' ? begun.resolve() : onRead(message.readUntil),
  );
  thread.once('error', (error) => {
    begun.reject(error);
    lose(new Error(`The thread of clock and jobs crashed: ${error.stack}`));
  });
  const order = (what: ScheduleOrder) => thread.postMessage(what);
  return {
    lost,
    begin: () => {
      order('begin');
      return begun.promise;
    },
    stop: async () => {
      order('stop');
      await Promise.race([once(thread, 'exit'), sleep(GONE_WITHIN_MS)]);
      await thread.terminate();
    },
  };
}
