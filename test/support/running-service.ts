import type { TestProject } from 'vitest/node';
import { type ServiceFile, startHost } from './host.ts';

declare module 'vitest' {
  interface ProvidedContext {
    service: ServiceFile & { readonly dir: string };
  }
}

/** One service for the whole run: test files share it, and each test has merchants of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { baseUrl, tableName, dynamodbEndpoint, key, dir, stop } = await startHost();
  project.provide('service', { baseUrl, tableName, dynamodbEndpoint, key, dir });
  return stop;
}
