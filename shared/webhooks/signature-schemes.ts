import { createHmac } from 'node:crypto';
import { newSigningSecret } from '../domain/secret.ts';
import { DELIVERY_HEADERS } from './sign.ts';

/*
 * Signature schemes of other providers, as data: a program that receives webhooks of theirs can be sent ours, in the same
 * form. Every signature is an HMAC with SHA-256.
 */

interface SignatureScheme {
  /** The header of the signatures. */
  readonly header: string;
  /** What stands before the signatures in it. @param seconds the time of the signature */
  readonly before?: (seconds: number) => string;
  /** The version before each signature, and one that no verifier knows. Without it, there are no versions. */
  readonly mark: string;
  readonly unknownMark?: string;
  /** What stands between two signatures; null where there is one alone. */
  readonly join: string | null;
  readonly encoding: 'base64' | 'hex';
  /** What is signed. */
  readonly text: (id: string, seconds: number, body: string) => string;
  readonly key: (secret: string) => Buffer;
  /** A secret in the form of the scheme. @param bytes 32 unguessable bytes */
  readonly newSecret: (bytes?: Buffer) => string;
  /** The other headers of a delivery. */
  readonly others: (id: string, seconds: number, type: string) => Readonly<Record<string, string>>;
  /** The questions of the exam that make no sense in the scheme, and why. */
  readonly lacks: Readonly<Partial<Record<`SIG-${string}`, string>>>;
}

const timed = (_: string, seconds: number, body: string) => `${seconds}.${body}`;
const bodyAlone = (_id: string, _seconds: number, body: string) => body;
const asText = (secret: string) => Buffer.from(secret);
const hexSecret = (bytes?: Buffer) => decodedBase64(newSigningSecret(bytes)).toString('hex');
const base64Secret = (bytes?: Buffer) => newSigningSecret(bytes).replace(PREFIX, '');

const PREFIX = 'whsec_';
const NO_ID = 'the signature is of no id';
const NO_TIME = 'the signature is of no time';
const NO_VERSIONS = 'signatures have no version';
const ACCEPTS_FUTURE = 'verifiers of the provider accept a time that is ahead';
const ONE_SIGNATURE = 'there is one signature alone';

/** The id and the time in headers of their own, as Standard Webhooks has them. */
function standard(prefix: string): SignatureScheme {
  return {
    header: `${prefix}-signature`,
    mark: 'v1,',
    unknownMark: 'v9,',
    join: ' ',
    encoding: 'base64',
    text: (id, seconds, body) => `${id}.${seconds}.${body}`,
    key: decodedBase64,
    newSecret: newSigningSecret,
    others: (id, seconds) => ({ [`${prefix}-id`]: id, [`${prefix}-timestamp`]: String(seconds) }),
    lacks: {},
  };
}

const SIGNATURE_SCHEMES = {
  standardwebhooks: standard('webhook'),
  svix: standard('svix'),
  stripe: {
    header: 'stripe-signature',
    before: (seconds) => `t=${seconds},`,
    mark: 'v1=',
    unknownMark: 'v0=',
    join: ',',
    encoding: 'hex',
    text: timed,
    // With its prefix, and not decoded.
    key: asText,
    newSecret: newSigningSecret,
    others: () => ({}),
    lacks: { 'SIG-04': ACCEPTS_FUTURE, 'SIG-09': NO_ID },
  },
  omise: {
    header: 'omise-signature',
    mark: '',
    join: ',',
    encoding: 'hex',
    text: timed,
    key: decodedBase64,
    newSecret: base64Secret,
    others: (_, seconds) => ({ 'omise-signature-timestamp': String(seconds) }),
    lacks: { 'SIG-07': NO_VERSIONS, 'SIG-09': NO_ID },
  },
  paddle: {
    header: 'paddle-signature',
    before: (seconds) => `ts=${seconds};`,
    mark: 'h1=',
    unknownMark: 'h9=',
    join: ';',
    encoding: 'hex',
    text: (_, seconds, body) => `${seconds}:${body}`,
    key: asText,
    newSecret: hexSecret,
    others: () => ({}),
    lacks: { 'SIG-04': ACCEPTS_FUTURE, 'SIG-09': NO_ID },
  },
  github: {
    header: 'x-hub-signature-256',
    mark: 'sha256=',
    join: null,
    encoding: 'hex',
    text: bodyAlone,
    key: asText,
    newSecret: hexSecret,
    others: (id, _, type) => ({ 'x-github-delivery': id, 'x-github-event': type }),
    lacks: ofBodyAlone(),
  },
  shopify: {
    header: 'x-shopify-hmac-sha256',
    mark: '',
    join: null,
    encoding: 'base64',
    text: bodyAlone,
    key: asText,
    newSecret: hexSecret,
    others: (id, _, type) => ({
      'x-shopify-webhook-id': id,
      'x-shopify-topic': type,
      'x-shopify-shop-domain': 'exam.example',
    }),
    lacks: ofBodyAlone(),
  },
} as const satisfies Readonly<Record<string, SignatureScheme>>;
export type SchemeName = keyof typeof SIGNATURE_SCHEMES;
export const SCHEME_NAMES = Object.keys(SIGNATURE_SCHEMES) as SchemeName[];

/** Where the body alone is signed, a receiver knows a repeated delivery by the id in the body. */
function ofBodyAlone(): SignatureScheme['lacks'] {
  return {
    'SIG-03': NO_TIME,
    'SIG-04': NO_TIME,
    'SIG-06': ONE_SIGNATURE,
    'SIG-07': NO_VERSIONS,
    'SIG-09': NO_ID,
  };
}

function decodedBase64(secret: string): Buffer {
  return Buffer.from(secret.replace(PREFIX, ''), 'base64');
}

/** A scheme, and the secret that signs by it. */
export interface Signer {
  readonly scheme: SchemeName;
  readonly secret: string;
}

/** What is signed, and when. */
export interface SignedDelivery {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  /** Unix time in milliseconds. */
  readonly atMs: number;
  /** From 1. */
  readonly attempt: number;
}

export function schemeOf({ scheme }: Pick<Signer, 'scheme'>): SignatureScheme {
  return SIGNATURE_SCHEMES[scheme];
}

/** One signature, in the encoding of the scheme and without its version. */
export function signatureOf(signer: Signer, { id, body, atMs }: SignedDelivery): string {
  const { key, text, encoding } = schemeOf(signer);
  return createHmac('sha256', key(signer.secret))
    .update(text(id, secondsOf(atMs), body))
    .digest(encoding);
}

/** The value of the header of the signatures. @param signatures each with its version */
export function signatureHeader(scheme: SchemeName, atMs: number, signatures: readonly string[]): string {
  const { before, join } = schemeOf({ scheme });
  return `${before?.(secondsOf(atMs)) ?? ''}${signatures.join(join ?? '')}`;
}

/** The headers of a delivery. @param secrets each signs, in this order; by default that of the signer */
export function headersBy(
  signer: Signer,
  delivery: SignedDelivery,
  secrets: readonly string[] = [signer.secret],
): Record<string, string> {
  const { scheme } = signer;
  const { mark, header, others } = schemeOf(signer);
  const signatures = secrets.map((secret) => `${mark}${signatureOf({ scheme, secret }, delivery)}`);
  const { id, type, atMs, attempt } = delivery;
  return {
    ...DELIVERY_HEADERS,
    ...others(id, secondsOf(atMs), type),
    [header]: signatureHeader(scheme, atMs, signatures),
    'webhook-attempt': String(attempt),
  };
}

/** Whether a text can be a secret of the scheme: one whose key has at least a byte. */
export function isSecretOf(scheme: SchemeName, text: string): boolean {
  const { key } = schemeOf({ scheme });
  const isBase64 = key !== decodedBase64 || /^(?:whsec_)?[A-Za-z\d+/]+={0,2}$/.test(text);
  return isBase64 && key(text).length > 0;
}

function secondsOf(atMs: number): number {
  return Math.floor(atMs / 1_000);
}
