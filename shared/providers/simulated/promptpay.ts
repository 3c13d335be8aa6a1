import { billPayment } from 'promptparse/generate';

/** All zeros: no bank app can pay it, so a test QR can be public (contract §5). */
export const TEST_BILLER_ID = '000000000000000';
/** Bank of Thailand, Thai QR payment standard: a bill reference has at most 20 capital letters and digits. */
const REFERENCE_MAX_CHARS = 20;

/**
 * The text inside a PromptPay bill-payment QR: EMVCo merchant-presented mode with tag 30, currency 764, country TH
 * and a CRC-16/CCITT-FALSE at the end.
 * @param amountMinor satang; the format carries baht with two decimals
 * @param paymentId its random tail is the reference that comes back with the money
 */
export function promptPayPayload(billerId: string, amountMinor: number, paymentId: string): string {
  return billPayment({
    billerId,
    amount: amountMinor / 100,
    ref1: paymentId.slice(-REFERENCE_MAX_CHARS).toUpperCase(),
  });
}
