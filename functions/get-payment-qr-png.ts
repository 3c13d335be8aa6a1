import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { readQrPayload } from '../shared/flows/read-qr-payload.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { drawQrPng } from '../shared/pages/qr.ts';

/** Draws the PromptPay QR of a payment that can be paid now, as a file to save; 404 for any other. */
export const handler = servePage(servicePageOperations.getPaymentQrPng, async ({ params, realNowMs }) => {
  const picture = drawQrPng(await readQrPayload(params.token, realNowMs));
  return { status: 200, body: picture.toString('base64'), isBase64Encoded: true };
});
