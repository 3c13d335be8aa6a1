import { crc32, deflateSync } from 'node:zlib';
import { encode, renderSVG } from 'uqr';

/** ISO/IEC 18004: scanners need four light modules around a QR. */
const OPTIONS = { ecc: 'M', border: 4 } as const;
/** Large enough for the photo library of a phone, and 2 KB. */
const PIXELS_PER_MODULE = 12;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** One bit per pixel, greyscale; deflate, no filter, not interlaced. */
const FORMAT = [1, 0, 0, 0, 0];

export function drawQrSvg(payload: string): string {
  return renderSVG(payload, OPTIONS);
}

/** A PNG file (ISO/IEC 15948) of one bit per pixel, as phones save and bank apps open it. */
export function drawQrPng(payload: string): Buffer {
  const { data } = encode(payload, OPTIONS);
  const sidePixels = data.length * PIXELS_PER_MODULE;
  const rows = data.flatMap((modules) => Array<Buffer>(PIXELS_PER_MODULE).fill(rowOf(modules)));
  const header = Buffer.alloc(8);
  header.writeUInt32BE(sidePixels, 0);
  header.writeUInt32BE(sidePixels, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([header, Buffer.from(FORMAT)])),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** One line of pixels after the number of its filter: none. A light pixel is 1. */
function rowOf(modules: readonly boolean[]): Buffer {
  const pixels = modules.flatMap((isDark) => Array<boolean>(PIXELS_PER_MODULE).fill(!isDark));
  const row = Buffer.alloc(1 + Math.ceil(pixels.length / 8));
  pixels.forEach((isLight, index) => {
    if (isLight) {
      const byte = 1 + (index >> 3);
      row[byte] = (row[byte] ?? 0) | (0x80 >> (index & 7));
    }
  });
  return row;
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(content.length + 8);
  framed.writeUInt32BE(data.length, 0);
  content.copy(framed, 4);
  framed.writeUInt32BE(crc32(content), content.length + 4);
  return framed;
}
