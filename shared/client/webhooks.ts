import { Webhook } from 'standardwebhooks';
import type { EventView } from '../contract/events.ts';

/** An event that a webhook brings: its type says what `data.object` is. */
export type WebhookEvent = EventView;

/** Headers as `fetch` or as Node have them, in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What was received cannot be trusted: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The webhook cannot be verified', { cause });
    this.name = 'WebhookVerificationError';
  }
}

export const webhooks = {
  /**
   * The event that a webhook brings, where it was signed with the sink's secret within the last five minutes.
   * Deliveries come at least once: the event's `id` tells which you have seen.
   * @param body as it was received, before any parser
   * @param secret `whsec_…`
   * @throws WebhookVerificationError for everything else
   * @throws TypeError where the secret cannot be one, or the body was parsed
   */
  verify(body: string | Uint8Array, headers: WebhookHeaders, secret: string): WebhookEvent {
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
      throw new TypeError('verify takes the body as it was received: a text or bytes, before any parser.');
    }
    const webhook = readSecret(secret);
    try {
      const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
      return webhook.verify(text, plainHeaders(headers)) as WebhookEvent;
    } catch (cause) {
      throw new WebhookVerificationError(cause);
    }
  },
} as const;

function readSecret(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new TypeError('verify takes the secret of a sink: whsec_…');
  }
}

function plainHeaders(headers: WebhookHeaders): Record<string, string> {
  const pairs = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
