import { jsonText } from '../../machine/clean-text.ts';
import { UsageError } from '../../machine/command.ts';
import { FolderInUse, lockFolder } from '../../machine/folder-lock.ts';
import { complain, say } from '../../machine/output.ts';
import { writeWhole } from '../../machine/write-whole.ts';
import type { PgRun } from './command-form.ts';
import { eventFilter } from './event-filter.ts';
import {
  type Event,
  type EventPosition,
  followEvents,
  positionBefore,
  positionOfNow,
} from './follow-events.ts';
import { type Attempt, attemptLine, forward, isDelivered, type Receiver } from './forward.ts';
import { type Interrupt, untilInterrupted } from './interrupt.ts';
import { type Listener, listenerFileOf, openListener } from './listener-file.ts';

export const LISTEN_USAGE = `Each event is signed like a webhook, with a secret that is printed first and stays the same for this world. The secret
  and the position of the last event are stored in .local/listen. The first run starts with the events from then on;
  later runs continue with the events not yet forwarded. It works for the world of any key, local or deployed.

  An event without a 2xx response within 15 seconds is retried after 1 and after 3 seconds. Then it is given up, and the
  next event is forwarded: "events resend ID" forwards it again.`;

/** Forwards the events of a world to a server, until it is interrupted or has reached the requested number. */
export async function listen(run: PgRun): Promise<void> {
  if (run.values['print-secret'] === true) {
    const { secret } = await keptOf(run);
    return report(run, secret, { secret });
  }
  const { 'forward-to': typedUrl, events = '*', since: agoSeconds, once: most = null } = run.values;
  const url = requireUrl(typedUrl);
  const isWanted = eventFilter(events);

  const { world, place: now } = await positionOfNow(run.client);
  const file = await listenerFileOf(run.values.dir, run.service, world);
  const lock = lockListener(file);
  try {
    const listener = await openListener(file, now);
    const place = agoSeconds === undefined ? listener.place : await positionBefore(run.client, agoSeconds);
    const keep = (reached: EventPosition) =>
      writeWhole(file, { ...listener, forwardTo: url, place: reached });
    await keep(place);
    const { secret } = listener;
    const after = place?.sequence ?? 0;
    report(
      run,
      `Signing secret: ${secret}\nForwarding ${events} after event ${after} to ${url}. Ctrl-C ends it.`,
      { secret, forward_to: url, events, after_sequence: after },
    );
    const failed = await forwardFrom(place, { run, receiver: { url, secret }, isWanted, most, keep });
    if (failed > 0) {
      throw new Error(`No 2xx response: ${failed} of ${most}.`);
    }
  } finally {
    lock.close();
  }
}

/** Forwards one event again. */
export async function resend(run: PgRun): Promise<void> {
  const [id = ''] = run.args;
  const event = await run.client.getEvent(id);
  const { secret, forwardTo } = await keptOf(run);
  const url = requireUrl(run.values['forward-to'] ?? forwardTo ?? undefined);
  const last = await forwardAndReport(run, event, { url, secret }, untilInterrupted());
  if (last !== null && !isDelivered(last)) {
    throw new Error('No 2xx response.');
  }
}

interface ListenRun {
  readonly run: PgRun;
  readonly receiver: Receiver;
  readonly isWanted: (type: string) => boolean;
  /** The number of events to forward; null for no limit. */
  readonly most: number | null;
  /** Saves the position of the last event. */
  readonly keep: (place: EventPosition) => Promise<void>;
}

/** @returns how many events failed, once `most` are forwarded; 0 if interrupted before */
async function forwardFrom(
  from: EventPosition,
  { run, receiver, isWanted, most, keep }: ListenRun,
): Promise<number> {
  const interrupt = untilInterrupted();
  const warn = (sentence: string) => complain(run.values.json ? jsonText({ detail: sentence }) : sentence);
  let done = 0;
  let failed = 0;
  for await (const event of followEvents(run.client, from, interrupt.end, warn)) {
    if (isWanted(event.type)) {
      const last = await forwardAndReport(run, event, receiver, interrupt);
      if (last === null) {
        return 0;
      }
      done += 1;
      failed += isDelivered(last) ? 0 : 1;
    }
    await keep({ id: event.id, sequence: event.sequence });
    if (done === most) {
      return failed;
    }
  }
  return 0;
}

/** @returns the last attempt; null if interrupted before */
async function forwardAndReport(
  run: PgRun,
  event: Event,
  receiver: Receiver,
  interrupt: Interrupt,
): Promise<Attempt | null> {
  for await (const attempt of forward(event, receiver, interrupt)) {
    report(run, attemptLine(attempt), attempt);
    if (attempt.again_in_ms === null) {
      return attempt;
    }
  }
  return null;
}

/** What is saved of listening to the world of a key, with the secret that signs. */
export async function keptOf({ client, values, service }: PgRun): Promise<Listener> {
  const { world, place } = await positionOfNow(client);
  return openListener(await listenerFileOf(values.dir, service, world), place);
}

/** Only one listener for each world: with two, each would skip the events that only the other has forwarded. */
function lockListener(file: string) {
  try {
    return lockFolder(file, `${file}.lock`);
  } catch (error) {
    throw error instanceof FolderInUse
      ? new Error(`Process ${error.pid} already listens to this world: end it first.`)
      : error;
  }
}

function report({ values }: PgRun, text: string, data: object): void {
  say(...(values.json ? [jsonText(data)] : text.split('\n')));
}

function requireUrl(url: string | undefined): string {
  if (url === undefined) {
    throw new UsageError('Name your server: --forward-to http://127.0.0.1:3000/hook.');
  }
  return url;
}
