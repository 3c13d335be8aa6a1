import { Webhook } from 'standardwebhooks';
import type { SignatureVerdict } from '../domain/delivery.ts';

/** The header in which a sink reports its check of the signature. */
export const VERDICT_HEADER = 'sink-signature';

/** What every delivery has, whatever signs it. */
export const DELIVERY_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Payments-Webhooks/1',
} as const;

/**
 * The headers of a delivery, signed by the Standard Webhooks scheme.
 * @param secrets each signs: one signature that fits is enough for a verifier
 * @param id of the event, the same for every attempt
 * @param realNowMs real time and not the merchant's clock: verifiers allow a difference of five minutes (contract §10)
 * @param attempt from 1
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  realNowMs: number,
  attempt: number,
): Record<string, string> {
  const at = new Date(realNowMs);
  return {
    ...DELIVERY_HEADERS,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(realNowMs / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
    'webhook-attempt': String(attempt),
  };
}

/** A receiver's check of a delivery's signature. */
export function verdictOf(
  secret: string,
  body: string,
  headers: Readonly<Record<string, string | undefined>>,
): SignatureVerdict {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
    return 'valid';
  } catch {
    return 'invalid';
  }
}
