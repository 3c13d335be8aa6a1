import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { readQrPayload } from '../shared/flows/read-qr-payload.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { drawQrSvg } from '../shared/pages/qr.ts';

/** Draws the PromptPay QR of a payment that can be paid now; 404 for any other. */
export const handler = servePage(servicePageOperations.getPaymentQr, async ({ params, realNowMs }) =>
  drawQrSvg(await readQrPayload(params.token, realNowMs)),
);
