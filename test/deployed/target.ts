import { createServer } from 'node:net';
import { runQuietly } from './run-quietly.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** A running target that stands in for AWS. */
export interface Target {
  readonly endpoint: string;
  /** What it has complained of so far. */
  complaints(): string;
  /** Ends it, with the functions that it runs, and removes what it wrote. */
  stop(): Promise<void>;
}

/** Makes everything that this process starts use a target, and bootstraps it like a new account. */
export function useTarget(endpoint: string): void {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
  });
}

/** Prepares the account of the target in use for CDK. */
export function bootstrap(): Promise<string> {
  return runQuietly('cdk', ['bootstrap', `aws://${ACCOUNT}/${REGION}`]);
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
