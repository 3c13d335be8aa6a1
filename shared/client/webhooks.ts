import { Webhook } from 'standardwebhooks';
import type { EventView, PingView } from '../contract/events.ts';

/** An event of a webhook: its type determines the type of `data.object`. A ping has no sequence number. */
export type WebhookEvent = EventView | PingView;

type HeaderValue = string | readonly string[] | undefined;

/** Headers as `fetch`, Node or a gateway have them, in any case: a value may be a list, as in `multiValueHeaders`. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, HeaderValue>>
  | Iterable<readonly [name: string, value: HeaderValue]>;

/** The delivery cannot be trusted: respond with 400 and do nothing. */
export class WebhookVerificationError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The webhook cannot be verified', { cause });
    this.name = 'WebhookVerificationError';
  }
}

/** It keeps a byte order mark, since the signature is of all bytes. */
const BYTES_AS_TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
/** Digits alone: a reader that stops at the first other character would accept more than was signed. */
const TIMESTAMP = /^[1-9]\d{0,14}$/;
const SECRET_PREFIX = 'whsec_';
/** The minimum of Standard Webhooks for a secret. */
const SECRET_BYTES_MIN = 24;

export const webhooks = {
  /**
   * Returns the event of a webhook that was signed within the last five minutes with the endpoint's secret.
   * Deliveries are made at least once: use the event's `id` to detect duplicates.
   * @param body the raw body, before any parser
   * @param secret `whsec_…`, or several, each of which is enough: the new one and, during a rotation, the old one
   * @throws WebhookVerificationError if the webhook cannot be verified
   * @throws TypeError if a secret is missing or malformed (see `readSecret`), the body was parsed, or there are no headers
   */
  verify(
    body: string | Uint8Array,
    headers: WebhookHeaders,
    secret: string | readonly string[],
  ): WebhookEvent {
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
      throw new TypeError('verify takes the body as it was received: a text or bytes, before any parser.');
    }
    const pairs = pairsOf(headers);
    const verifiers = [secret].flat().map((each) => new Webhook(webhooks.readSecret(each)));
    if (verifiers.length === 0) {
      throw noSecret();
    }
    try {
      const text = typeof body === 'string' ? body : BYTES_AS_TEXT.decode(body);
      checkSignature(verifiers, text, signatureHeaders(pairs));
      return JSON.parse(text) as WebhookEvent;
    } catch (cause) {
      throw new WebhookVerificationError(cause);
    }
  },

  /**
   * Checks and returns an endpoint's secret. Call it before you listen: `readSecret(process.env.WEBHOOK_SECRET)`.
   * @throws TypeError if it is missing, or is not `whsec_` followed by the Base64 of at least 24 bytes
   */
  readSecret(secret: string | undefined): string {
    if (typeof secret !== 'string' || !isSecret(secret)) {
      throw noSecret();
    }
    return secret;
  },
} as const;

/** Without the value: even a mistyped secret must not be shown. */
function noSecret(): TypeError {
  return new TypeError(
    `The secret of a receiver is "${SECRET_PREFIX}" and the Base64 of at least ${SECRET_BYTES_MIN} bytes.`,
  );
}

function isSecret(text: string): boolean {
  const encoded = text.slice(SECRET_PREFIX.length);
  try {
    const bytes = atob(encoded);
    // Compared after encoding it again, since `atob` skips spaces and accepts missing padding.
    return text.startsWith(SECRET_PREFIX) && bytes.length >= SECRET_BYTES_MIN && btoa(bytes) === encoded;
  } catch {
    return false;
  }
}

/** @throws the error of the last verifier, if none finds its signature among those of the delivery */
function checkSignature(verifiers: readonly Webhook[], text: string, headers: Record<string, string>): void {
  let failure: unknown;
  for (const verifier of verifiers) {
    try {
      verifier.verify(text, headers, { jsonParse: false });
      return;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

type HeaderPair = readonly [name: string, value: unknown];

/** @throws TypeError for what is no headers: that is a mistake of the receiver, and not of the sender */
function pairsOf(headers: WebhookHeaders): readonly HeaderPair[] {
  if (typeof headers !== 'object' || headers === null) {
    throw noHeaders();
  }
  // Not `instanceof Headers`, since several classes exist: Node's own, that of a package, that of a polyfill.
  const pairs: readonly HeaderPair[] = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  if (!pairs.every((pair) => Array.isArray(pair) && typeof pair[0] === 'string')) {
    throw noHeaders();
  }
  return pairs;
}

function noHeaders(): TypeError {
  return new TypeError(
    'verify takes the headers of the request: an object, a Headers, a Map, or pairs of name and value.',
  );
}

/** @throws Error if one is missing, has several values, or is a timestamp of more than digits */
function signatureHeaders(pairs: readonly HeaderPair[]): Record<string, string> {
  const found = SIGNATURE_HEADERS.map((name): [string, string] => {
    const values = pairs.flatMap(([each, value]) => (each.toLowerCase() === name ? value : []));
    const [value, ...others] = new Set(values.filter((each) => typeof each === 'string'));
    if (value === undefined || others.length > 0) {
      throw new Error(value === undefined ? `There is no ${name}` : `${name} has several values`);
    }
    return [name, value];
  });
  const headers = Object.fromEntries(found);
  if (!TIMESTAMP.test(String(headers['webhook-timestamp']))) {
    throw new Error('webhook-timestamp is not digits alone');
  }
  return headers;
}
