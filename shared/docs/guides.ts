import { inflateRawSync } from 'node:zlib';
import type { Guide } from './build-guides.ts';

/**
 * Deflated JSON in Base64, put in by the bundler of functions (`infra/aws/constructs/payment-function.ts`), which leaves out
 * what builds it here.
 */
declare const BUILT_GUIDES: string | undefined;

/** The guides, in the order in which one reads them. From source, they are built when they are first needed. */
export const GUIDES: readonly Guide[] =
  typeof BUILT_GUIDES === 'string'
    ? JSON.parse(inflateRawSync(Buffer.from(BUILT_GUIDES, 'base64')).toString())
    : (await import('./build-guides.ts')).buildGuides();
