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
import { DUE_PREFIXES, worldIdOfPk } from '../../shared/store/table/keys.ts';
import { startBus } from './bus.ts';
import { loadWorker } from './function.ts';
import { Runs } from './runs.ts';
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
/**
 * So many worlds at once keep the processors busy. The others wait, and what comes for them meanwhile joins their run:
 * else, under load, all become so slow that receivers seem to be.
 */
const RUNS_AT_ONCE_MAX = 24;
const RECEIVERS_AT_ONCE_MAX = 50;

type WorldRuns = Runs<EventBridgeEvent<string, unknown> | DynamoDBStreamEvent>;

export interface Schedule {
  /** Waits shortly for running jobs. The others are resumed after the next start. */
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
    test: runsOf('job-runner', RUNS_AT_ONCE_MAX),
    live: runsOf('job-runner', RUNS_AT_ONCE_MAX),
  };
  const liveJobs = runsOf<EventBridgeEvent<string, unknown>>('live-job-runner', RUNS_AT_ONCE_MAX);
  const deliveries: Readonly<Record<Mode, Runs<SQSEvent>>> = {
    test: runsOf('deliverer', RECEIVERS_AT_ONCE_MAX),
    live: runsOf('deliverer', RECEIVERS_AT_ONCE_MAX),
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
  const tick = loadWorker<object, void>('clock-tick');
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

function runsOf<Event extends object>(worker: string, atOnceMax: number): Runs<Event> {
  return new Runs<Event>(worker, atOnceMax, async (event) =>
    (await loadWorker<Event, void>(worker, JOB_RUNNER_TIMEOUT_SECONDS))(event),
  );
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
    const woken = records.filter((record) => isWaking(record, mode));
    const byWorld = Map.groupBy(woken, ({ dynamodb }) => worldIdOfPk(String(dynamodb?.Keys?.pk?.S)));
    for (const [worldId, Records] of byWorld) {
      runs[mode].add({ Records }, worldId);
    }
    waking += woken.length;
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
