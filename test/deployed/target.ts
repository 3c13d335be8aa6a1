import { createServer } from 'node:net';

export const REGION = 'us-east-1';

/** A running target that stands in for AWS. */
export interface Target {
  readonly endpoint: string;
  /** What it has complained of so far. */
  complaints(): string;
  /** Ends it, with the functions that it runs, and removes what it wrote. */
  stop(): Promise<void>;
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
