import type { TestProject } from 'vitest/node';
import { type ServiceFile, startHost } from './host.ts';

declare module 'vitest' {
  interface ProvidedContext {
    service: ServiceFile & { readonly dir: string };
  }
}

/** Each project of a run has this module to itself, in the same process. */
const run = globalThis as { host?: ReturnType<typeof startHost> };

/** One service for the whole run: test files share it, and each test has merchants of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.host ??= startHost();
  const { baseUrl, tableName, dynamodbEndpoint, key, dir, stop } = await run.host;
  project.provide('service', { baseUrl, tableName, dynamodbEndpoint, key, dir });
  return stop;
}
