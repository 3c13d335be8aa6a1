import { defineConfig } from 'vitest/config';
import { CONTRACT_TESTS, EXCEPTIONS } from './test/deployed/contract-tests.ts';

const LOAD_TESTS = 'test/**/*.load.test.ts';

/** What both kinds of test need. */
const shared = {
  globalSetup: ['test/support/running-service.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    // More than a small machine has cores: many tests wait, for a lease to end or a process to start.
    maxWorkers: 4,
    projects: [
      { test: { ...shared, name: 'test', include: ['test/**/*.test.ts'], exclude: [LOAD_TESTS] } },
      // Thousands of items, leases that must run out, every bundle: by themselves, so that `npm test` stays quick.
      { test: { ...shared, name: 'load', include: [LOAD_TESTS] } },
      // What the API promises, of a deployed service: by `npm run test:deployed`, which deploys one first.
      {
        test: {
          ...shared,
          name: 'deployed',
          globalSetup: ['test/support/deployed-service.ts'],
          include: CONTRACT_TESTS.map((beginning) => `${beginning}*.test.ts`),
          exclude: [LOAD_TESTS, ...Object.keys(EXCEPTIONS).map((file) => `test/api/${file}`)],
        },
      },
    ],
  },
});
