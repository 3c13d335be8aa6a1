import { defineConfig } from 'vitest/config';

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
    ],
  },
});
