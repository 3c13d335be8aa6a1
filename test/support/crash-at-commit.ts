import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';

/*
 * Loaded into a host before it starts: it dies as if the power went, right before or right after the transaction that
 * writes a payment. CRASH says which.
 */

const { send } = DynamoDBDocumentClient.prototype;

DynamoDBDocumentClient.prototype.send = async function crashing(
  this: DynamoDBDocumentClient,
  ...args: unknown[]
) {
  const [command] = args;
  const isPayment =
    command instanceof TransactWriteCommand &&
    command.input.TransactItems?.some(({ Put }) => Put?.Item?.sk === 'PAYMENT') === true;
  if (isPayment && process.env.CRASH === 'before') {
    process.kill(process.pid, 'SIGKILL');
  }
  const answer = await Reflect.apply(send, this, args);
  if (isPayment && process.env.CRASH === 'after') {
    process.kill(process.pid, 'SIGKILL');
  }
  return answer;
} as typeof send;
