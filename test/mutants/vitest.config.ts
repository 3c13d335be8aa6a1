import { defineConfig } from 'vitest/config';

/** The tests that mirror the files whose mutants are made: a rule is proved beside it, not by the test kit's seeds. */
export default defineConfig({ test: { include: ['test/domain/*.test.ts'], isolate: false } });
