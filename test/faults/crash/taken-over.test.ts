// @module-tag nightly
import { tryEveryOperation } from './every-operation.ts';

await tryEveryOperation('a stalled request changes nothing after another one has taken over', 'stalled');
