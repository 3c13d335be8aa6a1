import { ACTION_TYPE, type NextAction } from './next-action.ts';
import { promptPayPayload, TEST_BILLER_ID } from './promptpay.ts';
import type { Provider } from './provider.ts';

/** The step of a payer's page that stands for the app or the site of a wallet or a bank. */
export const PROVIDER_STEP = 'provider';

/** The provider of test mode: the caller decides what happens, so it only says what a payer would be shown. */
export const simulatedProvider: Provider = {
  begin(payment, method, pages): NextAction {
    switch (ACTION_TYPE[method]) {
      case 'display_qr':
        return {
          type: 'display_qr',
          qr: {
            payload: promptPayPayload(TEST_BILLER_ID, payment.amount.minor, payment.id),
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
          reference: payment.number,
        };
    }
  },
};
