import type { AttemptRequest } from '../../domain/attempt-request.ts';
import { AMOUNT_MIN_MINOR } from '../../domain/money.ts';
import type { NextAction } from '../../domain/next-action.ts';
import { METHODS, PAYMENT_METHODS } from '../../domain/payment-method.ts';
import type { Provider } from '../provider.ts';
import { promptPayPayload, TEST_BILLER_ID } from './promptpay.ts';

/** The step of a payer's page that simulates the app or site of a wallet or bank. */
export const PROVIDER_STEP = 'provider';

const TERMS = { requires: [], minMinor: AMOUNT_MIN_MINOR, refund: 'direct' } as const;

/**
 * The provider of test mode. It stores nothing, so its results depend on the request alone: outcomes come from
 * simulations and the page's buttons, and are in our own table at the next request.
 */
export const simulatedProvider: Provider = {
  name: 'simulated',
  methods: new Map(PAYMENT_METHODS.map((method) => [method, TERMS])),
  initiate: async (request) =>
    done(request.attemptId, { state: 'open', nextAction: simulatedAction(request) }),
  cancel: async ({ attemptId }) => done(attemptId, { state: 'canceled' }),
  refund: async ({ refundId }) => done(refundId, { state: 'processing' }),
};

function done<const State extends object>(ourId: string, state: State) {
  return { kind: 'done', reported: { reference: `sim_${ourId}`, ...state } } as const;
}

/** The payer's next action. Depends on the request alone, so that a retry gets the same. */
export function simulatedAction({ paymentId, number, method, amount, pages }: AttemptRequest): NextAction {
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
        // 000 is assigned to no Thai bank, so no money can be sent there by mistake.
        bankCode: '000',
        accountNumber: '0000000000',
        accountName: 'Test Account (do not pay)',
        reference: number,
      };
  }
}
