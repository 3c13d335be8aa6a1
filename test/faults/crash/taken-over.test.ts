import { tryEveryOperation } from './every-operation.ts';

await tryEveryOperation(
  'a request that sleeps until another one has taken over changes nothing any more',
  'stalled',
);
