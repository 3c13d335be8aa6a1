import { dynamodb, type TableInput } from '../../shared/store/client.ts';

/*
 * Loaded into a host before it starts: it dies as if the power went, right before or right after one of the
 * transactions of a seed. CRASH says when: `before 3` is before the third one, where the first begins the seed and
 * chunks follow; `before end` and `after end` are about the one that ends it.
 */

const [moment, place] = String(process.env.CRASH).split(' ');
let transactions = 0;

dynamodb.use(async (call, next) => {
  const which = placeOf(call.input);
  const isHere = which?.includes(String(place)) === true;
  if (isHere && moment === 'before') {
    process.kill(process.pid, 'SIGKILL');
  }
  const answer = await next(call);
  if (isHere && moment === 'after') {
    process.kill(process.pid, 'SIGKILL');
  }
  return answer;
});

/** What a transaction of a seed is called, or null for every other call. */
function placeOf({ TransactItems: items = [] }: Partial<TableInput<'TransactWriteItems'>>): string[] | null {
  const isEnd = items.some(({ Update }) => Update?.Key?.sk === 'SEED');
  const isPart = items.some(({ Put }) => ['SEED', 'PAYMENT', 'REFUND', 'LINK'].includes(Put?.Item?.sk));
  if (!isEnd && !isPart) {
    return null;
  }
  transactions += 1;
  return [String(transactions), ...(isEnd ? ['end'] : [])];
}
