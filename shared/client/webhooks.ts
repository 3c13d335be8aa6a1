import { Webhook } from 'standardwebhooks';
import type { EventView, PingView } from '../contract/events.ts';

/** An event that a webhook brings: its type says what `data.object` is. A ping has no number in the sequence. */
export type WebhookEvent = EventView | PingView;

/** Headers as `fetch` or as Node have them, in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What was received cannot be trusted: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The webhook cannot be verified', { cause });
    this.name = 'WebhookVerificationError';
  }
}

const SECRET_PREFIX = 'whsec_';
/** What Standard Webhooks asks of a secret. */
const SECRET_BYTES_MIN = 24;

export const webhooks = {
  /**
   * The event that a webhook brings, where it was signed within the last five minutes, with the receiver's secret.
   * Deliveries come at least once: the event's `id` tells which you have seen.
   * @param body as it was received, before any parser
   * @param secret `whsec_…`, or several, each of which is enough: the new one and, while it is rotated, the old one
   * @throws WebhookVerificationError for everything else
   * @throws TypeError where a secret is missing or cannot be one (see `readSecret`), or the body was parsed
   */
  verify(
    body: string | Uint8Array,
    headers: WebhookHeaders,
    secret: string | readonly string[],
  ): WebhookEvent {
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
      throw new TypeError('verify takes the body as it was received: a text or bytes, before any parser.');
    }
    const verifiers = [secret].flat().map((each) => new Webhook(webhooks.readSecret(each)));
    if (verifiers.length === 0) {
      throw noSecret();
    }
    try {
      const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
      checkSignature(verifiers, text, plainHeaders(headers));
      return JSON.parse(text) as WebhookEvent;
    } catch (cause) {
      throw new WebhookVerificationError(cause);
    }
  },

  /**
   * The secret of a receiver, as it was given. Ask before you listen: `readSecret(process.env.WEBHOOK_SECRET)`.
   * @throws TypeError where it is missing, or is anything but `whsec_` and the Base64 of at least 24 bytes
   */
  readSecret(secret: string | undefined): string {
    if (typeof secret !== 'string' || !isSecret(secret)) {
      throw noSecret();
    }
    return secret;
  },
} as const;

/** Without what was given: a mistyped secret is still nobody else's. */
function noSecret(): TypeError {
  return new TypeError(
    `The secret of a receiver is "${SECRET_PREFIX}" and the Base64 of at least ${SECRET_BYTES_MIN} bytes.`,
  );
}

function isSecret(text: string): boolean {
  const encoded = text.slice(SECRET_PREFIX.length);
  try {
    const bytes = atob(encoded);
    // As it is written again: `atob` skips spaces, and takes what has no padding.
    return text.startsWith(SECRET_PREFIX) && bytes.length >= SECRET_BYTES_MIN && btoa(bytes) === encoded;
  } catch {
    return false;
  }
}

/** @throws what the last verifier says, where none finds its signature among those of the delivery */
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

function plainHeaders(headers: WebhookHeaders): Record<string, string> {
  // Not `instanceof Headers`, for there are several: Node's own, that of a package, that of a polyfill.
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
