import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { STRIPE } from '../../../shared/providers/stripe/stripe-provider.ts';
import { AS_DEPLOYED } from '../../support/tools/bundle.ts';

const BUNDLE_MAX_BYTES = 15_000;
/** What it has of traces: every function has it, whether it calls a provider or not. */
const OF_EVERY_FUNCTION = ['@opentelemetry/api', '*/telemetry/spans.ts'];

test('the Stripe adapter is small: every function that may call a provider loads it', {
  tags: 'slow',
}, async () => {
  const { outputFiles } = await build({
    ...AS_DEPLOYED,
    external: [...AS_DEPLOYED.external, ...OF_EVERY_FUNCTION],
    entryPoints: ['shared/providers/stripe/stripe-provider.ts'],
    sourcemap: false,
    write: false,
  });
  const [bundle] = outputFiles;
  console.log(`${bundle?.contents.length} bytes of at most ${BUNDLE_MAX_BYTES}`);
  expect(bundle?.contents.length).toBeLessThanOrEqual(BUNDLE_MAX_BYTES);
});

test.each([
  ['sk_test_51Abc', true],
  ['sk_live_51Abc', true],
  ['rk_test_51Abc', true],
  ['pk_test_51Abc', false],
  ['whsec_51Abc', false],
  ['sk_test_', false],
  ['sk_test_51Abc\n', false],
  ['', false],
])('%j has the form of a secret key of Stripe’s: %s', (key, has) => {
  expect(STRIPE.secrets.secret_key?.test(key)).toBe(has);
});
