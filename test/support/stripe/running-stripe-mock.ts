import type { TestProject } from 'vitest/node';
import { hasGo, NO_GO } from '../tools/go.ts';
import { type StripeMock, startStripeMock } from './stripe-mock.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null where Go, which it is built by, is not installed. */
    stripeMock: StripeMock | null;
  }
}

/** One validator for the whole run: it keeps nothing. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!hasGo()) {
    console.warn(`Skipped: what needs stripe-mock. ${NO_GO}.`);
    project.provide('stripeMock', null);
    return undefined;
  }
  const { url, document, stop } = await startStripeMock();
  project.provide('stripeMock', { url, document });
  return stop;
}
