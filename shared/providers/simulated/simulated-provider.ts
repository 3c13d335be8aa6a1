import type { NextAction } from '../../domain/next-action.ts';
import type { Ask } from '../../domain/open-payment.ts';
import { METHODS, PAYMENT_METHODS } from '../../domain/payment-method.ts';
import type { Provider } from '../provider.ts';
import { promptPayPayload, TEST_BILLER_ID } from './promptpay.ts';

/** The step of a payer's page that stands for the app or the site of a wallet or a bank. */
export const PROVIDER_STEP = 'provider';

/** The provider of test mode: the caller decides what happens, so it only says what a payer would be shown. */
export const simulatedProvider: Provider = {
  name: 'simulated',
  methods: new Set(PAYMENT_METHODS),
  begin: async (ask) => ({ kind: 'done', fact: { nextAction: simulatedAction(ask) } }),
};

/** What the payer is shown: it hangs on what is asked alone. */
export function simulatedAction({ paymentId, number, method, amount, pages }: Ask): NextAction {
  switch (METHODS[method].action) {
    case 'display_qr':
      return {
        type: 'display_qr',
        qr: {
          payload: promptPayPayload(TEST_BILLER_ID, amount.minor, paymentId),
          imageSvgUrl: pages.qrSvgUrl,
        },
      };
    case 'redirect':
      return { type: 'redirect', url: `${pages.checkoutUrl}?step=${PROVIDER_STEP}` };
    case 'bank_transfer':
      return {
        type: 'bank_transfer',
        // 000 is assigned to no Thai bank, so nobody can send money there by mistake.
        bankCode: '000',
        accountNumber: '0000000000',
        accountName: 'Test Account (do not pay)',
        reference: number,
      };
  }
}
