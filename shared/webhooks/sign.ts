import { Webhook } from 'standardwebhooks';
import type { SignatureVerdict } from '../domain/delivery.ts';

/**
 * The headers of a delivery by the Standard Webhooks scheme.
 * @param id the same for every attempt of one event
 * @param realNowMs real time, however far the merchant's clock was moved: verifiers allow five minutes (contract §10)
 */
export function signedHeaders(
  secret: string,
  id: string,
  body: string,
  realNowMs: number,
): Record<string, string> {
  const at = new Date(realNowMs);
  return {
    'content-type': 'application/json',
    'user-agent': 'Payments-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(realNowMs / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

/** What a receiver finds when it checks a delivery. */
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
