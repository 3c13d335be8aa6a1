import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import type { ShownPayment } from './shown-payment.ts';

/**
 * Reads the QR of a payment as PNG, while it can be paid.
 * @throws Error where the response is no PNG, or its QR says something else
 */
export async function expectPicture({ picture, payload }: ShownPayment): Promise<void> {
  const response = await fetch(picture.replace('.svg', '.png'), { headers: { Accept: 'image/png' } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const { data, width, height } = readPng(bytes, response.status);
  // Its types say `default`, but at run time the module is the function itself.
  const read = jsqr as unknown as typeof jsqr.default;
  const said = read(new Uint8ClampedArray(data), width, height)?.data;
  if (said !== payload) {
    throw new Error(`the QR says ${said}, and not ${payload}`);
  }
}

function readPng(bytes: Buffer, status: number) {
  try {
    return PNG.sync.read(bytes);
  } catch (error) {
    const start = bytes.subarray(0, 40).toString('latin1');
    throw new Error(`the QR (${status}) is no PNG: ${(error as Error).message}. It begins with ${start}`);
  }
}
