import { Problem } from '../errors/problem.ts';
import { findPaymentOfQr } from '../store/payer-page.ts';

/**
 * The text inside the PromptPay QR of a payment that can be paid now.
 * @param token of the image's address
 * @throws Problem `route_not_found` for every other payment
 */
export async function readQrPayload(token: string, realNowMs: number): Promise<string> {
  const page = await findPaymentOfQr(token, realNowMs);
  const action = page?.payment.status === 'requires_action' ? page.payment.attempt?.nextAction : undefined;
  if (action?.type !== 'display_qr') {
    throw new Problem('route_not_found');
  }
  return action.qr.payload;
}
