import { renderSVG } from 'uqr';
import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { Problem } from '../shared/errors/problem.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { findPaymentOfQr } from '../shared/store/payer-page.ts';

/** Draws the PromptPay QR of a payment that can be paid now; 404 for any other. */
export const handler = servePage(servicePageOperations.getPaymentQr, async ({ params, realNowMs }) => {
  const page = await findPaymentOfQr(params.token, realNowMs);
  const action = page?.payment.status === 'requires_action' ? page.payment.attempt?.nextAction : undefined;
  if (action?.type !== 'display_qr') {
    throw new Problem('route_not_found');
  }
  return renderSVG(action.qr.payload, { ecc: 'M', border: QUIET_ZONE_MODULES });
});

/** ISO/IEC 18004: scanners need four light modules around a QR. */
const QUIET_ZONE_MODULES = 4;
