import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineProcess } from './engine-process.ts';

/** An engine that ends or fails to start more often than this, within this time, is not restarted. */
const FAILURES_MAX = 5;
const FAILURES_WITHIN_MS = 60_000;
const PAUSE_MS = 100;

/** An engine that is restarted whenever it ends by itself. */
export interface LastingEngine {
  /** Resolves with the reason when it cannot be restarted. */
  readonly lost: Promise<Error>;
  stop(): Promise<void>;
  /** Ends it like a crash. */
  kill(): Promise<void>;
}

/**
 * @param start starts the same engine each time, on the same port and data
 * @throws the error of the first start
 */
export async function startLasting(start: () => Promise<EngineProcess>): Promise<LastingEngine> {
  let engine = await start();
  let isStopping = false;
  const lost = Promise.withResolvers<Error>();

  async function keepRunning(): Promise<void> {
    let failuresMs: number[] = [];
    let reason = 'it ended by itself';
    await engine.ended;
    while (!isStopping) {
      failuresMs = [...failuresMs, Date.now()].filter((atMs) => atMs > Date.now() - FAILURES_WITHIN_MS);
      if (failuresMs.length > FAILURES_MAX) {
        lost.resolve(
          new Error(`The store's engine is lost: ${reason}, ${failuresMs.length} times in a row.`),
        );
        return;
      }
      try {
        engine = await start();
        if (!isStopping) {
          console.warn("The store's engine ended by itself, and was started again on the same data.");
          await engine.ended;
        }
      } catch (error) {
        reason = (error as Error).message;
        await sleep(PAUSE_MS);
      }
    }
  }

  const keeping = keepRunning();
  const end = (how: 'stop' | 'kill') => async () => {
    isStopping = true;
    await engine[how]();
    await keeping;
    // It may have been restarted in between.
    await engine[how]();
  };
  return { lost: lost.promise, stop: end('stop'), kill: end('kill') };
}
