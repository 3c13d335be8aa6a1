import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { readQr } from '../shared/flows/read-qr.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { drawQrSvg } from '../shared/pages/qr.ts';

/** Draws the PromptPay QR of a payment that can be paid now; 404 for any other. */
export const handler = servePage(servicePageOperations.getPaymentQr, async ({ params, realNowMs }) =>
  drawQrSvg((await readQr(params.token, realNowMs)).payload),
);
