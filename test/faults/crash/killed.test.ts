import { tryEveryOperation } from './every-operation.ts';

await tryEveryOperation(
  'a request whose process dies has the effect of one undisturbed request after a retry',
  'killed',
);
