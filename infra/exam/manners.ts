import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../shared/domain/clock.ts';
import { newId } from '../../shared/domain/id.ts';
import {
  headersBy,
  type SignedDelivery,
  type Signer,
  schemeOf,
  signatureHeader,
  signatureOf,
} from '../../shared/webhooks/signature-schemes.ts';
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
  readonly deliver?: (event: Event, signer: Signer) => ForwardRequest;
  /** How many requests are sent at the same time. */
  readonly atOnce?: number;
  /** The sender hangs up when everything is sent, and hears no response. */
  readonly hangsUp?: true;
  /** Whether the shop has to do what the event says: it may not have received it, or has to if it says so. */
  readonly counts: boolean | 'maybe' | 'if accepted';
}

const LATER_ATTEMPT = 3;
const METADATA_ENTRIES_MAX = 50;

/** Signs the usual body in another way. @param secrets in the order in which they sign */
function signed(
  way: Partial<Pick<SignedDelivery, 'atMs' | 'attempt'>> | ((signer: Signer) => { secrets: string[] }),
) {
  return (event: Event, signer: Signer): ForwardRequest => {
    const delivery = deliveryOf(event);
    const { secrets } = typeof way === 'function' ? way(signer) : { secrets: [signer.secret] };
    return { body: delivery.body, headers: headersBy(signer, { ...delivery, ...way }, secrets) };
  };
}

function deliveryOf(event: Event, body = JSON.stringify(event)): SignedDelivery {
  const { id, type } = event;
  return { id, type, body, atMs: Date.now(), attempt: 1 };
}

/** Puts something else in the place of the header of the signatures. */
function withSignature(value: (signer: Signer, delivery: SignedDelivery) => string) {
  return (event: Event, signer: Signer): ForwardRequest => {
    const delivery = deliveryOf(event);
    const headers = headersBy(signer, delivery);
    return {
      body: delivery.body,
      headers: { ...headers, [schemeOf(signer).header]: value(signer, delivery) },
    };
  };
}

/** A right time and version, and then no signature. */
function withDigest(digest: string) {
  return withSignature(({ scheme }, { atMs }) =>
    signatureHeader(scheme, atMs, [`${schemeOf({ scheme }).mark}${digest}`]),
  );
}

const otherSecretOf = (signer: Signer) => schemeOf(signer).newSecret();

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
    deliver: signed({ attempt: 2 }),
  },
  nextDay: {
    ...accepted,
    says: 'redelivered',
    // It has another time of signature, within what verifiers allow.
    deliver: (event, signer) =>
      signed({ atMs: Date.now() + MINUTE_MS, attempt: LATER_ATTEMPT })(event, signer),
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
    deliver: signed((signer) => ({ secrets: [otherSecretOf(signer)] })),
  },
  changedBody: {
    ...refused,
    says: 'body changed after signing',
    deliver: (event, signer) => {
      const { headers, body } = requestOf(event, 1, signer);
      return { headers, body: body.replace('"timestamp":', '"changed":true,"timestamp":') };
    },
  },
  stale: {
    ...refused,
    says: 'signed a day ago',
    deliver: (...to) => signed({ atMs: Date.now() - DAY_MS })(...to),
  },
  future: {
    ...refused,
    says: 'signed for tomorrow',
    deliver: (...to) => signed({ atMs: Date.now() + DAY_MS })(...to),
  },
  unsigned: {
    ...refused,
    says: 'without the headers of a signature',
    deliver: (event) => ({
      body: JSON.stringify(event),
      headers: { 'content-type': 'application/json' },
    }),
  },
  emptySignature: { ...refused, says: 'with an empty signature', deliver: withSignature(() => '') },
  noSignature: {
    ...refused,
    says: 'with a word in place of the signature',
    deliver: withSignature(() => 'garbage'),
  },
  onlyVersion: {
    ...refused,
    says: 'with a version and no signature',
    deliver: withSignature((signer) => schemeOf(signer).mark.slice(0, -1) || 'v1'),
  },
  threeParts: { ...refused, says: 'with a signature in several parts', deliver: withDigest('a,b') },
  // Each character is sent as one byte.
  noText: {
    ...refused,
    says: 'with a signature that is no UTF-8',
    deliver: withDigest('\u00ff\u00fe\u0080'),
  },
  otherId: {
    ...refused,
    says: 'with the signature of another event',
    deliver: (event, signer) => {
      const { headers, body } = requestOf(event, 1, signer);
      const { atMs, type } = deliveryOf(event);
      const others = schemeOf(signer).others(newId('evt', atMs), Math.floor(atMs / SECOND_MS), type);
      return { headers: { ...headers, ...others }, body };
    },
  },
  twoSignatures: {
    ...accepted,
    says: 'signed by the new and by the old secret',
    deliver: signed((signer) => ({ secrets: [otherSecretOf(signer), signer.secret] })),
  },
  twoSignaturesReversed: {
    ...accepted,
    says: 'signed by the old and by the new secret',
    deliver: signed((signer) => ({ secrets: [signer.secret, otherSecretOf(signer)] })),
  },
  unknownVersion: {
    ...accepted,
    says: 'with a signature of an unknown version beside the known one',
    deliver: withSignature((signer, delivery) => {
      const { mark, unknownMark = '' } = schemeOf(signer);
      const other = signatureOf({ ...signer, secret: otherSecretOf(signer) }, delivery);
      const known = signatureOf(signer, delivery);
      return signatureHeader(signer.scheme, delivery.atMs, [`${unknownMark}${other}`, `${mark}${known}`]);
    }),
  },
  otherBytes: {
    ...accepted,
    says: 'with line breaks in its body, which are signed too',
    deliver: (event, signer) => {
      const delivery = deliveryOf(event, JSON.stringify(event, null, 2));
      return { body: delivery.body, headers: headersBy(signer, delivery) };
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
