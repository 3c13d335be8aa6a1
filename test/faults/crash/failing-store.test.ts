import { tryEveryOperation } from './every-operation.ts';

await tryEveryOperation(
  'a request whose store fails succeeds or responds with 503, and takes effect once',
  'failed',
  'answer lost',
  'conflict',
);
