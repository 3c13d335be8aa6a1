// @module-tag nightly
import { STORE_FAILS, tryEveryOperation } from './every-operation.ts';

await tryEveryOperation(STORE_FAILS, 'failed');
