import { invalidFields } from '../../errors/problem.ts';
import { isSuccess } from '../delivery.ts';
import { type Endpoint, freeSlot, newEndpoint } from '../endpoint.ts';
import { ENDPOINTS_MAX } from '../endpoint-limits.ts';
import { newId } from '../id.ts';
import { nextVersion } from '../resource-change.ts';
import { newSigningSecret, randomBase62 } from '../secret.ts';

const SINKS_MAX = 20;
export const SINK_NAME_MAX_CHARS = 80;
export const RESPOND_STATUS_MIN = 200;
export const RESPOND_STATUS_MAX = 599;
const RESPOND_STATUS_DEFAULT = 200;
export const FAIL_COUNT_MAX = 1_000;
/** The status of a sink that is set to fail, where its `respond_status` is a success. */
const FAILURE_STATUS = 500;
const TOKEN_CHARS = 32;

/** Sinks have the slots after those of merchants' own endpoints. */
const FIRST_SLOT = ENDPOINTS_MAX + 1;
const PATH = '/sink/';

/** A test endpoint on this service that can be set to fail: the part that its `Endpoint` does not hold. */
export interface Sink {
  /** The id and the slot are those of its endpoint. */
  readonly id: string;
  readonly slot: number;
  readonly version: number;
  readonly name: string;
  /** 190 random bits that make its address unguessable. */
  readonly token: string;
  readonly failCount: number;
  readonly receivedCount: number;
  readonly respondStatus: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A change of a sink. It makes no event. */
export interface SinkChange {
  readonly kind: 'sink';
  readonly before: Sink | null;
  readonly after: Sink;
}

/** A new sink and its endpoint. */
export interface CreatedSink {
  readonly endpoint: Endpoint;
  readonly sink: Sink;
}

/** The address of a sink. */
export function sinkUrl({ token }: Pick<Sink, 'token'>, baseUrl: string): string {
  return `${baseUrl}${PATH}${token}`;
}

/** The token of the sink that an endpoint belongs to. */
export function tokenOf({ url }: Endpoint): string {
  return url.slice(PATH.length);
}

/** The fields that are unique to a sink. */
type SinkIdentity = Pick<Sink, 'id' | 'token'> & Pick<Endpoint, 'secret'>;

/** @param draw source of the characters: the CSPRNG by default, a derivation where a retry must get the same token */
export function newSinkToken(draw: (chars: number) => string = randomBase62): string {
  return draw(TOKEN_CHARS);
}

/** The slot of a new sink, or null where the world has `SINKS_MAX` already. @param others all endpoints of the world */
export function freeSinkSlot(others: readonly Endpoint[]): number | null {
  return freeSlot(others, FIRST_SLOT, SINKS_MAX);
}

/**
 * Creates a sink that accepts every delivery.
 * @param others all endpoints of the world
 * @throws Problem `validation_failed` where the world has `SINKS_MAX` sinks already
 */
export function createSink(
  others: readonly Endpoint[],
  name: string | undefined,
  nowMs: number,
  { id, token, secret }: SinkIdentity = {
    id: newId('snk', nowMs),
    token: newSinkToken(),
    secret: newSigningSecret(),
  },
): CreatedSink {
  const slot = freeSinkSlot(others);
  if (slot === null) {
    throw invalidFields([{ code: 'max', field: 'sinks', message: `are at most ${SINKS_MAX}` }]);
  }
  return {
    endpoint: newEndpoint({ id, slot, url: `${PATH}${token}`, secret }, nowMs),
    sink: {
      id,
      slot,
      version: 1,
      name: name ?? `sink-${slot - ENDPOINTS_MAX}`,
      token,
      failCount: 0,
      receivedCount: 0,
      respondStatus: RESPOND_STATUS_DEFAULT,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    },
  };
}

/** Changes how a sink responds; fields that are left out keep their value. */
export function instructSink(
  sink: Sink,
  wanted: { readonly failCount?: number | undefined; readonly respondStatus?: number | undefined },
  nowMs: number,
): SinkChange {
  const { failCount = sink.failCount, respondStatus = sink.respondStatus } = wanted;
  return { kind: 'sink', before: sink, after: nextVersion(sink, { failCount, respondStatus }, nowMs) };
}

/**
 * The status of a sink's response to one delivery, and the sink afterwards (contract §10): it fails `failCount` times,
 * then `respondStatus` is 200; with a count of 0 it responds with `respondStatus` every time.
 */
export function receive(sink: Sink): { readonly status: number; readonly after: Sink } {
  const counted = { ...sink, version: sink.version + 1, receivedCount: sink.receivedCount + 1 };
  if (sink.failCount === 0) {
    return { status: sink.respondStatus, after: counted };
  }
  const failCount = sink.failCount - 1;
  const respondStatus = failCount === 0 ? RESPOND_STATUS_DEFAULT : sink.respondStatus;
  const status = isSuccess(sink.respondStatus) ? FAILURE_STATUS : sink.respondStatus;
  return { status, after: { ...counted, failCount, respondStatus } };
}
