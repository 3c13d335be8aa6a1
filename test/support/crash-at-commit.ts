import { dynamodb, type TableInput } from '../../shared/store/client.ts';

/*
 * Loaded into a host before it starts: it dies as if the power went.
 * CRASH=before or after: around the transaction that writes a payment.
 * CRASH_AFTER_JOBS=n: after the n-th transaction of a move of the clock that ends a job.
 */

let jobsEnded = 0;

dynamodb.use(async (call, next) => {
  const { TransactItems: writes = [] }: Partial<TableInput<'TransactWriteItems'>> = call.input;
  const isPayment = writes.some(({ Put }) => Put?.Item?.sk === 'PAYMENT' && Put.Item.version <= 2);
  const endsExpiry = writes.some(({ Delete, Update }) => isJob(Delete?.Key?.pk) && Update === undefined);
  if (isPayment && process.env.CRASH === 'before') {
    process.kill(process.pid, 'SIGKILL');
  }
  const answer = await next(call);
  if (isPayment && process.env.CRASH === 'after') {
    process.kill(process.pid, 'SIGKILL');
  }
  // Only a move of the clock counts what it does, so only its jobs are counted here.
  if (endsExpiry && writes.some(({ Update }) => String(Update?.Key?.sk).startsWith('TALLY#'))) {
    jobsEnded += 1;
    if (jobsEnded === Number(process.env.CRASH_AFTER_JOBS)) {
      process.kill(process.pid, 'SIGKILL');
    }
  }
  return answer;
});

function isJob(pk: unknown): boolean {
  return String(pk).includes('#JOBS#');
}
