import { eventFilter } from '../events/event-filter.ts';
import {
  type Event,
  type EventPosition,
  followEvents,
  positionBefore,
  positionOfNow,
} from '../events/follow-events.ts';
import {
  type Attempt,
  attemptLine,
  forward,
  isDelivered,
  mayRefuseSignature,
  type Receiver,
} from '../events/forward.ts';
import { type NamedSigner, readSigner } from '../events/signing-secret.ts';
import { FolderInUse, takeLock } from '../machine/folder-lock.ts';
import { writeWhole } from '../machine/write-whole.ts';
import { jsonText } from '../terminal/clean-text.ts';
import { UsageError } from '../terminal/command.ts';
import { type Interrupt, untilInterrupted } from '../terminal/interrupt.ts';
import { complain, say } from '../terminal/output.ts';
import type { PgReader, PgRun } from '../terminal/pg-command.ts';
import { type ListenPosition, listenPositionFile, openListenPosition } from './listen-position.ts';

export const LISTEN_USAGE = `Each event is signed like a webhook, with a secret that is printed first. It follows from the key and its world, so it
  stays the same, from every folder, for the exam too. The position of the last event is stored in .payments/listen. The
  first run starts with the events from then on; later runs continue with the events not yet forwarded. It works for the
  world of any key, local or deployed. --scheme signs as another provider does.

  An event without a 2xx response within 15 seconds is retried after 1 and after 3 seconds. Then it is given up, and the
  next event is forwarded: "events resend ID" forwards it again.`;

/** Forwards the events of a world to a server, until it is interrupted or has reached the requested number. */
export async function listen(run: PgReader): Promise<void> {
  if (run.values['print-secret'] === true) {
    // What happens from now on is forwarded to the receiver that gets this secret.
    const [{ secret }] = await Promise.all([readSigner(run), readListenPosition(run)]);
    return report(run, secret, { secret });
  }
  const { 'forward-to': typedUrl, events = '*', since: agoSeconds, once: most = null } = run.values;
  const url = requireUrl(typedUrl);
  const isWanted = eventFilter(events);

  const [signer, { world, position: now }] = await Promise.all([readSigner(run), positionOfNow(run.client)]);
  const file = await listenPositionFile(run, world);
  const lock = lockListener(file);
  try {
    const kept = await openListenPosition(file, now);
    const position = agoSeconds === undefined ? kept.position : await positionBefore(run.client, agoSeconds);
    const keep = (reached: EventPosition) =>
      writeWhole(file, { position: reached, forwardTo: url } satisfies ListenPosition);
    await keep(position);
    const after = position?.sequence ?? 0;
    report(
      run,
      `Signing secret: ${signer.printable ?? signer.shown}\nForwarding ${events} after event ${after} to ${url}. Ctrl-C ends it.`,
      { secret: signer.printable, forward_to: url, events, after_sequence: after },
    );
    const failed = await forwardFrom(position, { run, receiver: { url, ...signer }, isWanted, most, keep });
    if (failed > 0) {
      throw new Error(`No 2xx response: ${failed} of ${most}.`);
    }
  } finally {
    lock.close();
  }
}

/** Retries to forward one event. */
export async function resend(run: PgRun): Promise<void> {
  const [id = ''] = run.args;
  const event = await run.client.getEvent(id);
  const [signer, { forwardTo }] = await Promise.all([readSigner(run), readListenPosition(run)]);
  const url = requireUrl(run.values['forward-to'] ?? forwardTo ?? undefined);
  const last = await forwardAndReport(run, event, { url, ...signer }, untilInterrupted());
  if (last !== null && !isDelivered(last)) {
    warnOfSecret(run, last, signer);
    throw new Error('No 2xx response.');
  }
}

interface ListenRun {
  readonly run: PgReader;
  readonly receiver: Receiver & NamedSigner;
  readonly isWanted: (type: string) => boolean;
  /** The number of events to forward; null for no limit. */
  readonly most: number | null;
  /** Saves the position of the last event. */
  readonly keep: (position: EventPosition) => Promise<void>;
}

/** @returns how many events failed, once `most` are forwarded; 0 if interrupted before */
async function forwardFrom(
  from: EventPosition,
  { run, receiver, isWanted, most, keep }: ListenRun,
): Promise<number> {
  const interrupt = untilInterrupted();
  let done = 0;
  let failed = 0;
  let isWarned = false;
  for await (const event of followEvents(run.client, from, interrupt.end, (text) => warn(run, text))) {
    if (isWanted(event.type)) {
      const last = await forwardAndReport(run, event, receiver, interrupt);
      if (last === null) {
        return 0;
      }
      done += 1;
      failed += isDelivered(last) ? 0 : 1;
      if (!isWarned) {
        isWarned = warnOfSecret(run, last, receiver);
      }
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
  run: PgReader,
  event: Event,
  receiver: Receiver & NamedSigner,
  interrupt: Interrupt,
): Promise<Attempt | null> {
  for await (const attempt of forward(event, receiver, interrupt)) {
    report(run, attemptLine(attempt, receiver.options), attempt);
    if (attempt.again_in_ms === null) {
      return attempt;
    }
  }
  return null;
}

/** @returns whether the receiver may hold another secret, which is said then */
function warnOfSecret(run: PgReader, attempt: Attempt, { shown, printable, options }: NamedSigner): boolean {
  const mayDiffer = mayRefuseSignature(attempt);
  if (mayDiffer) {
    warn(
      run,
      `The receiver answered ${attempt.status}. What is sent is signed with ${shown}: the receiver may hold another secret.${printable === null ? '' : ` "pg listen --print-secret${options}" prints this one.`}`,
    );
  }
  return mayDiffer;
}

/** What is saved of listening to the world of a key. */
async function readListenPosition(run: PgReader): Promise<ListenPosition> {
  const { world, position } = await positionOfNow(run.client);
  return openListenPosition(await listenPositionFile(run, world), position);
}

/** Only one listener for each world: with two, each would skip the events that only the other has forwarded. */
function lockListener(file: string) {
  try {
    return takeLock(`${file}.lock`);
  } catch (error) {
    throw error instanceof FolderInUse
      ? new Error(`Process ${error.pid} already listens to this world: end it first.`)
      : error;
  }
}

function warn({ values }: PgReader, sentence: string): void {
  complain(values.json ? jsonText({ detail: sentence }) : sentence);
}

function report({ values }: PgReader, text: string, data: object): void {
  say(...(values.json ? [jsonText(data)] : text.split('\n')));
}

function requireUrl(url: string | undefined): string {
  if (url === undefined) {
    throw new UsageError('Name your server: --forward-to http://127.0.0.1:3000/hook.');
  }
  return url;
}
