import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Context } from 'aws-lambda';

/*
 * Runs a function in the folder of its code, for payments_localstack.py: standard input is a socket, where each line is
 * an invocation, and each line back its result. One line before says that the function is loaded.
 */

interface Invocation {
  readonly 'invoke-id': string;
  readonly 'invoked-function-arn': string;
  readonly 'trace-id': string;
  /** The event, as JSON. */
  readonly payload: string;
  readonly deadline: number;
}

type Handler = (event: unknown, context: Partial<Context>) => Promise<unknown>;

const { env } = process;

function loadHandler(folder: string): Handler {
  const [file = '', name = ''] = String(env._HANDLER).split('.');
  return createRequire(path.join(folder, '/'))(`./${file}`)[name];
}

function contextOf(invocation: Invocation): Partial<Context> {
  return {
    functionName: String(env.AWS_LAMBDA_FUNCTION_NAME),
    functionVersion: String(env.AWS_LAMBDA_FUNCTION_VERSION),
    memoryLimitInMB: String(env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE),
    logGroupName: String(env.AWS_LAMBDA_LOG_GROUP_NAME),
    logStreamName: String(env.AWS_LAMBDA_LOG_STREAM_NAME),
    invokedFunctionArn: invocation['invoked-function-arn'],
    awsRequestId: invocation['invoke-id'],
    getRemainingTimeInMillis: () => invocation.deadline - Date.now(),
  };
}

async function invoke(handler: Handler, invocation: Invocation) {
  env._X_AMZN_TRACE_ID = invocation['trace-id'];
  try {
    const result = await handler(JSON.parse(invocation.payload), contextOf(invocation));
    return { failed: false, payload: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    const { name, message, stack = '' } = error as Error;
    const failure = { errorType: name, errorMessage: message, trace: stack.split('\n') };
    return { failed: true, payload: JSON.stringify(failure) };
  }
}

const socket = new Socket({ fd: 0 });
// LocalStack is gone, or has stopped this environment: what the function is doing is dropped.
socket.once('close', () => process.exit());
const handler = loadHandler(String(process.argv[2]));
socket.write('{}\n');
for await (const line of createInterface({ input: socket })) {
  socket.write(`${JSON.stringify(await invoke(handler, JSON.parse(line)))}\n`);
}
