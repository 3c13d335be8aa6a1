import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { CONTRACT_TESTS, EXCEPTIONS } from './test/deployed/contract-tests.ts';

// Tests start many processes, which load the same modules: each is compiled once, and not by every process.
process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/node');
// CDK's own check of a template takes most of a synthesis: app.load.test.ts and `npm run synth` make it.
process.env.CDK_VALIDATION ??= 'false';

const LOAD_TESTS = 'test/**/*.load.test.ts';
const BROWSER_TESTS = 'test/**/*.browser.test.ts';
const STRIPE_TESTS = 'test/**/*.stripe.test.ts';
const DOMAIN_TESTS = 'test/domain/**/*.test.ts';
const FAULT_TESTS = 'test/faults/**/*.test.ts';
/** What puts something in the place of a module, or needs a store of its own. */
const ISOLATED_TESTS = 'test/**/*.isolated.test.ts';
const SERVICE_TESTS = [
  'test/{api,client,flows,functions,http,pages,store}/**/*.test.ts',
  'test/infra/{commands,events,exam,local,mcp,operator,pg,scenario}/**/*.test.ts',
];
/** Slow, and run of a deployed service too. */
const SCENARIO_TESTS = 'test/scenarios/*.test.ts';
const CRASH_TESTS = 'test/faults/crash/*.test.ts';
const LIVE_FAULT_TESTS = 'test/faults/live/*.test.ts';
/** Not in `npm test`. */
const SLOW_TESTS = [LOAD_TESTS, BROWSER_TESTS, STRIPE_TESTS, SCENARIO_TESTS];
const CHAOS_TESTS = 'test/faults/chaos/*.test.ts';
const LINEARIZABILITY_TESTS = 'test/faults/linearizability/*.test.ts';

/** What all tests need. What takes longer hangs: they work for minutes where the machine has much else to do. */
const shared = {
  globalSetup: ['test/support/world/running-service.ts'],
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 240_000 } },
};

/** Of tests that do by themselves what is done in their worlds. */
const alone = {
  ...shared,
  globalSetup: ['test/support/world/bare-store.ts'],
  env: { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' },
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
    // Those of `npm test` run one after the other, by `groupOrder`: side by side they take longer.
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
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
        },
      },
      // Each file has a process to itself.
      {
        test: {
          ...shared,
          name: 'isolated',
          include: [ISOLATED_TESTS],
          exclude: SLOW_TESTS,
          sequence: { groupOrder: 3 },
        },
      },
      // Thousands of items, hosts of their own, every bundle: by themselves, so that `npm test` stays quick.
      { test: { ...shared, name: 'load', include: [LOAD_TESTS] } },
      { test: { ...shared, name: 'scenarios', include: [SCENARIO_TESTS] } },
      // Pages in a real Chromium.
      { test: { ...shared, name: 'browser', include: [BROWSER_TESTS] } },
      // What is true of every provider, and Stripe on a stand-in, behind Stripe's own validator: Go builds it first.
      {
        test: {
          ...shared,
          name: 'stripe',
          globalSetup: [...shared.globalSetup, 'test/support/stripe/running-stripe-mock.ts'],
          include: [STRIPE_TESTS],
        },
      },
      // What goes wrong, tried in thousands of ways: by `npm run test:faults`, which prints how many.
      {
        test: {
          ...shared,
          name: 'faults',
          include: [FAULT_TESTS],
          exclude: [CRASH_TESTS, LIVE_FAULT_TESTS, CHAOS_TESTS, LINEARIZABILITY_TESTS],
        },
      },
      // By itself, for where others take the processor a host seems to have died.
      { test: { ...shared, name: 'chaos', include: [CHAOS_TESTS] } },
      // The same, on hosts of its own: a Go program checks what was recorded of them.
      {
        test: {
          ...shared,
          name: 'linearizability',
          globalSetup: ['test/support/world/bare-store.ts', 'test/faults/linearizability/built-checker.ts'],
          include: [LINEARIZABILITY_TESTS],
        },
      },
      // A store without workers, so that nothing but a test does anything in its worlds.
      { test: { ...alone, name: 'crash', include: [CRASH_TESTS] } },
      // The same with a provider: Stripe on a stand-in.
      {
        test: {
          ...alone,
          name: 'live-faults',
          globalSetup: [...alone.globalSetup, 'test/support/stripe/running-stripe-mock.ts'],
          include: [LIVE_FAULT_TESTS],
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
          exclude: [LOAD_TESTS, ...Object.keys(EXCEPTIONS).map((file) => `test/api/${file}`)],
        },
      },
    ],
  },
});
