import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { sendsBytes } from '../shared/contract/stand-in-gateway.ts';
import { readQr } from '../shared/flows/read-qr.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { drawQrPng } from '../shared/pages/qr.ts';

/**
 * Draws the PromptPay QR of a payment that can be paid now, as a file to save; 404 for any other. Where the gateway would
 * send no bytes, it leads to the same picture as SVG, which is text.
 */
export const handler = servePage(servicePageOperations.getPaymentQrPng, async (request) => {
  const { params, realNowMs, baseUrl, accept } = request;
  const { payload, number } = await readQr(params.token, realNowMs);
  if (!sendsBytes(accept)) {
    return {
      seeOther: `${baseUrl}${servicePageOperations.getPaymentQr.path.replace('{token}', params.token)}`,
    };
  }
  const picture = drawQrPng(payload).toString('base64');
  return { status: 200, body: picture, isBase64Encoded: true, filename: `promptpay-${number}.png` };
});
