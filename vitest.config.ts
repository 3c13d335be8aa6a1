import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { CONTRACT_TESTS, EXCEPTIONS, SLOW_FILES } from './test/deployed/contract-tests.ts';

// Tests start many processes, which load the same modules: each is compiled once, and not by every process.
process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/node');
// CDK's own check of a template takes most of a synthesis: app.slow.test.ts and `npm run synth` make it.
process.env.CDK_VALIDATION ??= 'false';

const DOMAIN_TESTS = 'test/domain/**/*.test.ts';
/** What puts something in the place of a module, or needs a store of its own. */
const ISOLATED_TESTS = 'test/**/*.isolated.test.ts';
const SERVICE_TESTS = [
  'test/{api,client,flows,functions,http,pages,store}/**/*.test.ts',
  'test/infra/{commands,events,exam,local,mcp,operator,pg,scenario}/**/*.test.ts',
];
/** Not in `npm test`. */
const SLOW_TESTS = [
  SLOW_FILES,
  // Pages in a real Chromium.
  'test/**/*.browser.test.ts',
  // What is true of every provider, and Stripe on a stand-in, behind Stripe's own validator.
  'test/**/*.stripe.test.ts',
  // Run of a deployed service too.
  'test/scenarios/*.test.ts',
];
const FAULT_TESTS = 'test/faults/**/*.test.ts';
const CRASH_TESTS = 'test/faults/{crash,linearizability,live}/*.test.ts';
const OTHER_FAULT_TESTS = 'test/faults/!(crash|linearizability|live)/*.test.ts';

/** What all tests need. What takes longer hangs: they work for minutes where the machine has much else to do. */
const shared = {
  globalSetup: ['test/support/world/running-service.ts'],
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 240_000 } },
};

export default defineConfig({
  test: {
    reporters: [
      'default',
      './test/support/tools/figures-reporter.ts',
      './test/support/tools/skips-reporter.ts',
    ],
    tags: [
      { name: 'slow', description: 'Takes many seconds: left out of npm test' },
      {
        name: 'nightly',
        description: 'Takes minutes, or repeats what quicker tests prove: runs at night alone',
      },
    ],
    // More than a small machine has cores: many tests wait, for a lease to end or a process to start.
    maxWorkers: 4,
    projects: [
      // The rules of money, which need nothing else.
      {
        test: { ...shared, name: 'domain', globalSetup: [], include: [DOMAIN_TESTS], isolate: false },
      },
      // What needs no service: documents, templates, command lines.
      {
        test: {
          ...shared,
          name: 'units',
          globalSetup: [],
          include: ['test/**/*.test.ts'],
          exclude: [...SLOW_TESTS, DOMAIN_TESTS, FAULT_TESTS, ISOLATED_TESTS, ...SERVICE_TESTS],
          isolate: false,
        },
      },
      // What the running service does, and its parts at the service's store.
      {
        test: {
          ...shared,
          name: 'service',
          include: SERVICE_TESTS,
          exclude: [...SLOW_TESTS, ISOLATED_TESTS],
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
        },
      },
      // Each file has a process to itself.
      {
        test: {
          ...shared,
          name: 'isolated',
          include: [ISOLATED_TESTS],
          exclude: SLOW_TESTS,
        },
      },
      // Thousands of items, hosts of their own, every bundle, pages in a browser. Go builds Stripe's validator first.
      {
        test: {
          ...shared,
          name: 'slow',
          globalSetup: [
            ...shared.globalSetup,
            'test/support/stripe/running-stripe-mock.ts',
            'test/support/tools/run-folder.ts',
          ],
          include: SLOW_TESTS,
        },
      },
      // What goes wrong, tried in thousands of ways: by `npm run test:faults`, which prints how many.
      { test: { ...shared, name: 'faults', include: [OTHER_FAULT_TESTS] } },
      // The same on a store without workers, so that nothing but a test does anything in its worlds, or on hosts of its own.
      {
        test: {
          ...shared,
          name: 'crash',
          globalSetup: [
            'test/support/world/bare-store.ts',
            'test/support/stripe/running-stripe-mock.ts',
            'test/faults/linearizability/built-checker.ts',
          ],
          env: { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' },
          include: [CRASH_TESTS],
        },
      },
      // What the API promises, of a deployed service: by `npm run test:deployed`, which deploys one first.
      {
        test: {
          ...shared,
          name: 'deployed',
          // A target answers one request at a time: those that look keep back what they look for, and its streams have one
          // lane for all tests.
          expect: { poll: { timeout: 540_000, interval: 250 } },
          globalSetup: ['test/support/world/deployed-service.ts'],
          setupFiles: ['test/support/tools/skip-excepted.ts', 'test/support/tools/patient-store.ts'],
          include: CONTRACT_TESTS.map((beginning) => `${beginning}*.test.ts`),
          exclude: [SLOW_FILES, ...Object.keys(EXCEPTIONS).map((file) => `test/api/${file}`)],
        },
      },
    ],
  },
});
