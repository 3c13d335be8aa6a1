import { DAY_MS, MINUTE_MS } from '../../shared/domain/clock.ts';
import { newId } from '../../shared/domain/id.ts';
import { newSigningSecret } from '../../shared/domain/secret.ts';
import { signedHeaders } from '../../shared/webhooks/sign.ts';
import type { Event } from '../events/follow-events.ts';
import { type ForwardRequest, requestOf } from '../events/forward.ts';

/*
 * The ways in which a question sends an event, beside the plain one: bad signatures, bodies of tomorrow, repetitions.
 */

/** What a shop must respond with: 2xx, a refusal, anything but an error of the server, or anything at all. */
export type RequiredResponse = 'accept' | 'refuse' | 'survive' | 'any';

/** A way of sending. */
export interface Manner {
  /** How the report says it, after the event's type. */
  readonly says: string;
  readonly must: RequiredResponse;
  /** The event that is sent in place of the real one. */
  readonly change?: (event: Event) => Event;
  /** The request, where it is not the usual one. */
  readonly deliver?: (event: Event, secret: string) => ForwardRequest;
  /** How many requests are sent at the same time. */
  readonly atOnce?: number;
  /** The sender hangs up when everything is sent, and hears no response. */
  readonly hangsUp?: true;
  /** Whether the shop has to do what the event says: it may not have received it, or has to if it says so. */
  readonly counts: boolean | 'maybe' | 'if accepted';
}

const LATER_ATTEMPT = 3;
const METADATA_ENTRIES_MAX = 50;

/** A delivery whose body is signed right, and is then sent in another way. */
function changed(
  change: (delivery: ForwardRequest, event: Event, secret: string) => Partial<ForwardRequest>,
) {
  return (event: Event, secret: string): ForwardRequest => {
    const delivery = requestOf(event, 1, secret);
    return { ...delivery, ...change(delivery, event, secret) };
  };
}

function signedAt(offsetMs: number) {
  return changed(({ body }, { id }, secret) => ({
    headers: signedHeaders([secret], id, body, Date.now() + offsetMs, 1),
  }));
}

function withSignature(change: (signature: string, delivery: ForwardRequest, event: Event) => string) {
  return changed((delivery, event) => ({
    headers: {
      ...delivery.headers,
      'webhook-signature': change(String(delivery.headers['webhook-signature']), delivery, event),
    },
  }));
}

function withObject(fields: (object: Readonly<Record<string, unknown>>) => object) {
  return (event: Event): Event => {
    const object = { ...event.data.object } as Readonly<Record<string, unknown>>;
    return { ...event, data: { ...event.data, object: { ...object, ...fields(object) } } } as Event;
  };
}

const refused = { must: 'refuse', counts: false } as const;
const accepted = { must: 'accept', counts: true } as const;

export const MANNERS = {
  retried: {
    ...accepted,
    says: 'attempt 2',
    deliver: (event, secret) => requestOf(event, 2, secret),
  },
  nextDay: {
    ...accepted,
    says: 'redelivered',
    deliver: (event, secret) => {
      const delivery = requestOf(event, 1, secret);
      // It has another webhook-timestamp, within what verifiers allow.
      const headers = signedHeaders([secret], event.id, delivery.body, Date.now() + MINUTE_MS, LATER_ATTEMPT);
      return { ...delivery, headers };
    },
  },
  dayOld: {
    ...accepted,
    says: 'a day old',
    change: (event) => ({ ...event, timestamp: new Date(Date.now() - DAY_MS).toISOString() }),
  },
  fiveAtOnce: { ...accepted, says: 'five times at once', atOnce: 5 },
  early: { must: 'any', counts: 'maybe', says: 'before the answer of the API' },
  beforeItsPayment: {
    must: 'any',
    counts: 'if accepted',
    says: 'before the success of its payment',
  },
  hungUp: { must: 'any', counts: 'maybe', says: 'connection lost after sending', hangsUp: true },

  otherSecret: {
    ...refused,
    says: 'signed by another secret',
    deliver: (event) => requestOf(event, 1, newSigningSecret()),
  },
  changedBody: {
    ...refused,
    says: 'body changed after signing',
    deliver: changed(({ body }) => ({ body: body.replace('"timestamp":', '"changed":true,"timestamp":') })),
  },
  stale: { ...refused, says: 'signed a day ago', deliver: signedAt(-DAY_MS) },
  future: { ...refused, says: 'signed for tomorrow', deliver: signedAt(DAY_MS) },
  unsigned: {
    ...refused,
    says: 'without webhook-id, webhook-timestamp and webhook-signature',
    deliver: changed(() => ({ headers: { 'content-type': 'application/json' } })),
  },
  emptySignature: { ...refused, says: 'with an empty signature', deliver: withSignature(() => '') },
  noSignature: {
    ...refused,
    says: 'with a word in place of the signature',
    deliver: withSignature(() => 'garbage'),
  },
  onlyVersion: { ...refused, says: 'with a version and no signature', deliver: withSignature(() => 'v1') },
  threeParts: {
    ...refused,
    says: 'with a signature in three parts',
    deliver: withSignature(() => 'v1,a,b'),
  },
  noText: {
    ...refused,
    says: 'with a signature that is no UTF-8',
    // Each character is sent as one byte.
    deliver: withSignature(() => 'v1,\u00ff\u00fe\u0080'),
  },
  otherId: {
    ...refused,
    says: 'with the signature of another event',
    deliver: changed(({ headers }) => ({ headers: { ...headers, 'webhook-id': newId('evt', Date.now()) } })),
  },
  twoSignatures: {
    ...accepted,
    says: 'signed by the new and by the old secret',
    deliver: changed(({ body }, { id }, secret) => ({
      headers: signedHeaders([newSigningSecret(), secret], id, body, Date.now(), 1),
    })),
  },
  unknownVersion: {
    ...accepted,
    says: 'with a signature of an unknown version beside the known one',
    deliver: withSignature((signature) => `v9,${btoa('a signature of a later version')} ${signature}`),
  },
  otherBytes: {
    ...accepted,
    says: 'with line breaks in its body, which are signed too',
    deliver: (event, secret) => {
      const body = JSON.stringify(event, null, 2);
      return { body, headers: signedHeaders([secret], event.id, body, Date.now(), 1) };
    },
  },

  unknownType: {
    must: 'accept',
    counts: false,
    says: 'of a type that does not exist yet',
    change: (event) =>
      Object.assign({ ...event }, { id: newId('evt', Date.now()), type: 'payment.teleported' }),
  },
  unknownFields: {
    ...accepted,
    says: 'with fields that do not exist yet',
    change: (event) =>
      withObject(() => ({ loyalty: { points: 12 }, tags: ['new'] }))({ ...event, ...{ shard: 7 } }),
  },
  unknownMethod: {
    ...accepted,
    says: 'by a method that does not exist yet',
    change: withObject(() => ({ method: 'palm_vein' })),
  },
  thai: {
    ...accepted,
    says: 'with Thai text and emoji',
    change: withObject((object) => ({
      description: 'ข้าวซอยไก่ 2 ชาม 🍜 กำลังดี “ไม่เผ็ด” 👩‍👩‍👧',
      metadata: { ...(object.metadata as object), note: 'ส่งที่บ้านเลขที่ ๙๙/๑ ซอยสุขุมวิท ๕๕ 🏡' },
    })),
  },
  fullMetadata: {
    ...accepted,
    says: `with ${METADATA_ENTRIES_MAX} metadata entries`,
    change: withObject(() => ({
      metadata: Object.fromEntries(
        Array.from({ length: METADATA_ENTRIES_MAX }, (_, index) => [
          `key_${index}`,
          `value ${index} `.repeat(40),
        ]),
      ),
    })),
  },
} as const satisfies Readonly<Record<string, Manner>>;
export type MannerName = keyof typeof MANNERS;

/** Signatures that are none. */
export const MALFORMED = [
  'noSignature',
  'onlyVersion',
  'threeParts',
  'noText',
] as const satisfies readonly MannerName[];

/** The plain way: the shop must accept the event and do what it says. */
const PLAIN: Manner = { ...accepted, says: '' };

export function mannerOf(name: MannerName | undefined): Manner {
  return name === undefined ? PLAIN : MANNERS[name];
}
