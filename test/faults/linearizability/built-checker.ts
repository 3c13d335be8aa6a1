import type { TestProject } from 'vitest/node';
import { hasGo, NO_GO } from '../../support/tools/go.ts';
import { buildChecker } from './checker.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program that judges recordings; null if Go, which builds it, is not installed. */
    linearizabilityChecker: string | null;
  }
}

/** Built before the tests, which do not wait for a compiler. */
export default async function setup(project: TestProject): Promise<void> {
  if (!hasGo()) {
    console.warn(`Skipped: what needs the checker of histories. ${NO_GO}.`);
    project.provide('linearizabilityChecker', null);
    return;
  }
  project.provide('linearizabilityChecker', await buildChecker());
}
