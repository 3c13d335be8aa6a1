import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { readQr } from '../shared/flows/read-qr.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { drawQrPng } from '../shared/pages/qr.ts';

/** Draws the PromptPay QR of a payment that can be paid now, as a file to save; 404 for any other. */
export const handler = servePage(servicePageOperations.getPaymentQrPng, async ({ params, realNowMs }) => {
  const { payload, number } = await readQr(params.token, realNowMs);
  const picture = drawQrPng(payload).toString('base64');
  return { status: 200, body: picture, isBase64Encoded: true, filename: `promptpay-${number}.png` };
});
