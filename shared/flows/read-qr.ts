import { Problem } from '../errors/problem.ts';
import { findPaymentOfQr } from '../store/money/payer-page.ts';

/**
 * The text inside the PromptPay QR of a payment that can be paid now, and the payment's number.
 * @param token of the image's address
 * @throws Problem `route_not_found` for every other payment
 */
export async function readQr(
  token: string,
  realNowMs: number,
): Promise<{ readonly payload: string; readonly number: string }> {
  const page = await findPaymentOfQr(token, realNowMs);
  const payment = page?.payment;
  const action = payment?.status === 'requires_action' ? payment.attempt?.nextAction : undefined;
  if (payment === undefined || action?.type !== 'display_qr') {
    throw new Problem('route_not_found');
  }
  return { payload: action.qr.payload, number: payment.number };
}
