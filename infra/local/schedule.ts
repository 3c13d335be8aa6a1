import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBRecord, DynamoDBStreamEvent, EventBridgeEvent, SQSEvent } from 'aws-lambda';
import {
  JOB_RUNNER_TIMEOUT_SECONDS,
  LIVE_JOBS_DUE,
  RECEIVER_DUE,
  WAKING_KINDS,
  WORLD_DUE,
} from '../../shared/contract/bus.ts';
import { MODES, type Mode } from '../../shared/domain/world.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { DUE_PREFIXES } from '../../shared/store/table/keys.ts';
import { startBus } from './bus.ts';
import { loadFunction } from './function.ts';
import { TableStream } from './stream.ts';

/*
 * The work that happens without a request, as infra/aws/constructs/clock-and-jobs.ts deploys it: the same workers, started
 * by the same events.
 */

const BUS_NAME = 'payments-local';
/** The deployed clock ticks every minute, which is too long on a developer's machine. */
const TICK_PAUSE_MS = 3_000;
const STREAM_PAUSE_MS = 100;
/** If more records than this arrive at once, a longer pause makes larger runs, with a third fewer calls. */
const BUSY_RECORDS = 5;
const BUSY_PAUSE_MS = 250;
const RUNS_AT_ONCE_MAX = 10;
const RECEIVERS_AT_ONCE_MAX = 50;
const STOP_WITHIN_MS = 900;

type WorldRuns = Runs<EventBridgeEvent<string, unknown> | DynamoDBStreamEvent>;

export interface Schedule {
  /** Waits up to `STOP_WITHIN_MS` for running jobs. The others are resumed after the next start. */
  stop(): Promise<void>;
}

/**
 * Starts clock and stream in this thread: see schedule-thread.ts. Sets the workers' bus in the environment, so call it
 * before any function is loaded.
 * @param onRead called with the number of the last record that was read from the stream
 */
export async function startSchedule(
  tableName: string,
  onRead: (sequenceNumber: string) => void,
): Promise<Schedule> {
  const runs: Readonly<Record<Mode, WorldRuns>> = {
    test: new Runs('job-runner', RUNS_AT_ONCE_MAX),
    live: new Runs('job-runner', RUNS_AT_ONCE_MAX),
  };
  const liveJobs = new Runs<EventBridgeEvent<string, unknown>>('live-job-runner', RUNS_AT_ONCE_MAX);
  const deliveries: Readonly<Record<Mode, Runs<SQSEvent>>> = {
    test: new Runs('deliverer', RECEIVERS_AT_ONCE_MAX),
    live: new Runs('deliverer', RECEIVERS_AT_ONCE_MAX),
  };
  const stream = await TableStream.open(tableName);
  if (stream === null) {
    const seconds = TICK_PAUSE_MS / 1_000;
    console.warn(`The store has no stream: events and jobs wait for the clock, up to ${seconds} seconds.`);
  }
  const bus = await startBus(BUS_NAME, (event) => {
    if (isOf(event, LIVE_JOBS_DUE)) {
      liveJobs.add(event, JSON.stringify(event.detail));
    }
    for (const mode of MODES) {
      if (isOf(event, WORLD_DUE[mode])) {
        // Another tick finds worlds that are already waiting.
        runs[mode].add(event, JSON.stringify(event.detail));
      } else if (isOf(event, RECEIVER_DUE[mode])) {
        const message = { Records: [{ body: JSON.stringify(event) }] } as SQSEvent;
        deliveries[mode].add(message, JSON.stringify(event.detail));
      }
    }
  });
  process.env.AWS_ENDPOINT_URL_EVENTBRIDGE = bus.endpoint;
  process.env[VARIABLES.busName] = BUS_NAME;

  const ending = new AbortController();
  const tick = loadFunction<object, void>('workers/clock-tick');
  again('the clock', TICK_PAUSE_MS, ending.signal, async () => (await tick)({}));
  if (stream !== null) {
    again("the table's stream", STREAM_PAUSE_MS, ending.signal, () => readStream(stream, runs, onRead));
  }
  return {
    stop: async () => {
      ending.abort();
      const all = [liveJobs, ...MODES.flatMap((mode) => [runs[mode], deliveries[mode]])];
      await Promise.all(all.map((its) => its.stop()));
      bus.stop();
    },
  };
}

/** Reads what the stream has, and wakes the runners of the worlds in it. */
async function readStream(
  stream: TableStream,
  runs: Readonly<Record<Mode, WorldRuns>>,
  onRead: (sequenceNumber: string) => void,
): Promise<void> {
  const records = await stream.read();
  const last = records.at(-1)?.dynamodb?.SequenceNumber;
  if (last !== undefined) {
    onRead(last);
  }
  let waking = 0;
  for (const mode of MODES) {
    const Records = records.filter((record) => isWaking(record, mode));
    if (Records.length > 0) {
      runs[mode].add({ Records });
    }
    waking += Records.length;
  }
  if (waking > BUSY_RECORDS) {
    await sleep(BUSY_PAUSE_MS - STREAM_PAUSE_MS);
  }
}

/** The filter of the deployed event source mapping of a mode. @internal */
export function isWaking({ eventName, dynamodb }: DynamoDBRecord, mode: Mode): boolean {
  const { kind, duePk } = dynamodb?.NewImage ?? {};
  const isOfMode = duePk?.S?.startsWith(DUE_PREFIXES[mode]) === true;
  return eventName !== 'REMOVE' && isOfMode && WAKING_KINDS.some((waking) => waking === kind?.S);
}

/** Runs an action now and again after each pause. Of consecutive failures, only the first is printed. */
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

function isOf(event: EventBridgeEvent<string, unknown>, what: { source: string; detailType: string }) {
  return event.source === what.source && event['detail-type'] === what.detailType;
}

/** Runs of a worker: a few at once, while the others wait. */
class Runs<Event extends object> {
  readonly #worker: string;
  readonly #atOnceMax: number;
  #waiting: { readonly event: Event; readonly name: string | null }[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(worker: string, atOnceMax: number) {
    this.#worker = worker;
    this.#atOnceMax = atOnceMax;
  }

  /**
   * Adds a run. Records of the stream join those that are already waiting.
   * @param name a run is dropped if one of the same name is already waiting
   */
  add(event: Event, name: string | null = null): void {
    const joined = this.#waiting.map((waiting) => waiting.event).find((waiting) => isOfStream(waiting));
    if (joined !== undefined && isOfStream(joined) && isOfStream(event)) {
      joined.Records.push(...event.Records);
    } else if (name === null || !this.#waiting.some((waiting) => waiting.name === name)) {
      this.#waiting.push({ event, name });
    }
    this.#startNext();
  }

  async stop(): Promise<void> {
    this.#waiting = [];
    await Promise.race([Promise.all(this.#running), sleep(STOP_WITHIN_MS)]);
  }

  #startNext(): void {
    const next = this.#running.size < this.#atOnceMax ? this.#waiting.shift() : undefined;
    if (next === undefined) {
      return;
    }
    const run = this.#run(next.event).finally(() => {
      this.#running.delete(run);
      this.#startNext();
    });
    this.#running.add(run);
  }

  async #run(event: Event): Promise<void> {
    try {
      const name = `workers/${this.#worker}`;
      await (await loadFunction<Event, void>(name, JOB_RUNNER_TIMEOUT_SECONDS))(event);
    } catch (error) {
      console.error(`the ${this.#worker.replaceAll('-', ' ')} failed:`, error);
    }
  }
}

function isOfStream(event: object): event is DynamoDBStreamEvent {
  return 'Records' in event && (event as DynamoDBStreamEvent).Records.every((record) => 'dynamodb' in record);
}
