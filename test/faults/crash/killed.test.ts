import { tryEveryOperation } from './every-operation.ts';

await tryEveryOperation(
  'a request whose process dies, sent again, leaves what one undisturbed request leaves',
  'killed',
);
