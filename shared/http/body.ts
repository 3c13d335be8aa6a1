import type { PlainCode } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import { type Call, headerOf, onlyHeaderOf } from './call.ts';

const CHARSETS = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]*))/gi;
const UTF_8 = /^utf-?8$/i;
const NOT_ENCODED = /^(?:identity)?$/i;

/** What an operation accepts as a body. */
export interface BodyKind {
  /** Null accepts any media type. */
  readonly mediaType: string | null;
  readonly maxBytes: number;
  /** The error code for bytes that are not UTF-8. */
  readonly malformed: PlainCode;
}

/**
 * A body as text, byte for byte (contract §3). Bytes that are not UTF-8 are refused and not repaired, since two bodies
 * could be the same after a repair. Other charsets and encoded bodies are refused too.
 * @throws Problem `unsupported_media_type`, `body_too_large`, or the kind's `malformed`
 */
export function readText(call: Call, { mediaType, maxBytes, malformed }: BodyKind): string {
  const { body, isBase64Encoded } = call.event;
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length === 0) {
    return '';
  }
  if (!isOf(mediaType, call)) {
    const what = mediaType === null ? 'the body' : `"Content-Type: ${mediaType}"`;
    const detail = `Send ${what}, encoded in UTF-8, without a Content-Encoding.`;
    throw new Problem('unsupported_media_type', { detail });
  }
  if (bytes.length > maxBytes) {
    throw new Problem('body_too_large', { detail: `Send at most ${maxBytes / 1_024} KB.` });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem(malformed);
  }
}

function isOf(mediaType: string | null, call: Call): boolean {
  const declared = onlyHeaderOf(call, 'content-type', 'unsupported_media_type') ?? '';
  const [essence = ''] = declared.split(';');
  return (
    (mediaType === null || essence.trim().toLowerCase() === mediaType) &&
    [...declared.matchAll(CHARSETS)].every(([, quoted, bare = '']) => UTF_8.test(quoted ?? bare)) &&
    NOT_ENCODED.test(headerOf(call, 'content-encoding')?.trim() ?? '')
  );
}
