import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { AwsClient } from '../../shared/store/aws-client.ts';

/*
 * Loaded into a host before it starts: it dies as if the power went.
 * CRASH=before or after: around the transaction that writes a payment.
 * CRASH_AFTER_JOBS=n: after the n-th transaction of a move of the clock that ends a job.
 */

const { send } = AwsClient.prototype;
let jobsEnded = 0;

AwsClient.prototype.send = async function crashing(this: AwsClient, ...args: unknown[]) {
  const [command] = args;
  const writes = command instanceof TransactWriteCommand ? (command.input.TransactItems ?? []) : [];
  const isPayment = writes.some(({ Put }) => Put?.Item?.sk === 'PAYMENT' && Put.Item.version <= 2);
  const endsExpiry = writes.some(({ Delete, Update }) => isJob(Delete?.Key?.pk) && Update === undefined);
  if (isPayment && process.env.CRASH === 'before') {
    process.kill(process.pid, 'SIGKILL');
  }
  const answer = await Reflect.apply(send, this, args);
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
} as typeof send;

function isJob(pk: unknown): boolean {
  return String(pk).includes('#JOBS#');
}
