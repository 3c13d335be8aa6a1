import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBRecord, DynamoDBStreamEvent, EventBridgeEvent } from 'aws-lambda';
import {
  BUS_NAME_VARIABLE,
  JOB_RUNNER_TIMEOUT_SECONDS,
  WAKING_KINDS,
  WORLD_DUE,
} from '../../shared/contract/bus.ts';
import { startBus } from './bus.ts';
import { loadFunction } from './function.ts';
import { TableStream } from './stream.ts';

/*
 * What happens without a request, as infra/constructs/clock-and-jobs.ts deploys it: the same two workers, woken by the
 * same events.
 */

const BUS_NAME = 'payments-local';
/** The deployed clock ticks every minute, which is too long to wait on one's own machine. */
const TICK_PAUSE_MS = 3_000;
const STREAM_PAUSE_MS = 100;
const RUNS_AT_ONCE_MAX = 10;
const STOP_WITHIN_MS = 900;

type RunnerEvent = EventBridgeEvent<string, unknown> | DynamoDBStreamEvent;

export interface Schedule {
  /** Waits up to `STOP_WITHIN_MS` for running jobs. The others are resumed after the next start. */
  stop(): Promise<void>;
}

/**
 * Starts clock and stream in this thread: see schedule-thread.ts. Sets the workers' bus in the environment, so call it
 * before any function is loaded.
 * @param onRead told the number of the last record that was read from the stream
 */
export async function startSchedule(
  endpoint: string,
  tableName: string,
  onRead: (sequenceNumber: string) => void,
): Promise<Schedule> {
  const runs = new Runs();
  const stream = await TableStream.open(endpoint, tableName);
  if (stream === null) {
    const seconds = TICK_PAUSE_MS / 1_000;
    console.warn(`The store has no stream: events and jobs wait for the clock, up to ${seconds} seconds.`);
  }
  const bus = await startBus(BUS_NAME, (event) => {
    if (event.source === WORLD_DUE.source && event['detail-type'] === WORLD_DUE.detailType) {
      runs.add(event);
    }
  });
  process.env.AWS_ENDPOINT_URL_EVENTBRIDGE = bus.endpoint;
  process.env[BUS_NAME_VARIABLE] = BUS_NAME;

  const ending = new AbortController();
  const tick = loadFunction<object, void>('workers/clock-tick');
  again('the clock', TICK_PAUSE_MS, ending.signal, async () => {
    // Another tick would only add worlds that wait already.
    if (!runs.areWaiting) {
      await (await tick)({});
    }
  });
  if (stream !== null) {
    again("the table's stream", STREAM_PAUSE_MS, ending.signal, async () => {
      const records = await stream.read();
      const last = records.at(-1)?.dynamodb?.SequenceNumber;
      if (last !== undefined) {
        onRead(last);
      }
      const Records = records.filter(isWaking);
      if (Records.length > 0) {
        runs.add({ Records });
      }
    });
  }
  return {
    stop: async () => {
      ending.abort();
      await runs.stop();
      stream?.close();
      bus.stop();
    },
  };
}

/** The filter of the deployed event source mapping. */
export function isWaking({ eventName, dynamodb }: DynamoDBRecord): boolean {
  const kind = dynamodb?.NewImage?.kind?.S;
  return eventName !== 'REMOVE' && WAKING_KINDS.some((waking) => waking === kind);
}

/** Does something now and then again after each pause. Of failures in a row, only the first is printed. */
async function again(
  what: string,
  pauseMs: number,
  signal: AbortSignal,
  act: () => Promise<void>,
): Promise<void> {
  let isWell = true;
  while (!signal.aborted) {
    try {
      await act();
      isWell = true;
    } catch (error) {
      if (isWell && !signal.aborted) {
        console.error(`${what} failed, and goes on:`, error);
      }
      isWell = false;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Runs of the job runner: a few at once, the others in turn. */
class Runs {
  #waiting: RunnerEvent[] = [];
  readonly #underWay = new Set<Promise<void>>();

  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Records of the stream join those that wait already. */
  add(event: RunnerEvent): void {
    const joined = this.#waiting.find((waiting) => 'Records' in waiting);
    if (joined !== undefined && 'Records' in joined && 'Records' in event) {
      joined.Records.push(...event.Records);
    } else {
      this.#waiting.push(event);
    }
    this.#startNext();
  }

  async stop(): Promise<void> {
    this.#waiting = [];
    await Promise.race([Promise.all(this.#underWay), sleep(STOP_WITHIN_MS)]);
  }

  #startNext(): void {
    const event = this.#underWay.size < RUNS_AT_ONCE_MAX ? this.#waiting.shift() : undefined;
    if (event === undefined) {
      return;
    }
    const run = runJobs(event).finally(() => {
      this.#underWay.delete(run);
      this.#startNext();
    });
    this.#underWay.add(run);
  }
}

async function runJobs(event: RunnerEvent): Promise<void> {
  try {
    const runner = await loadFunction<RunnerEvent, void>('workers/job-runner', JOB_RUNNER_TIMEOUT_SECONDS);
    await runner(event);
  } catch (error) {
    console.error('the job runner failed:', error);
  }
}
