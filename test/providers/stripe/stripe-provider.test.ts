import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { STRIPE } from '../../../shared/providers/stripe/stripe-provider.ts';
import { AS_DEPLOYED } from '../../support/tools/bundle.ts';

/** With what it has of traces, which is in every function. */
const BUNDLE_MAX_BYTES = 17_000;

test('the Stripe adapter is small: every function that may call a provider loads it', {
  tags: 'slow',
}, async () => {
  const { outputFiles } = await build({
    ...AS_DEPLOYED,
    // Every function has it, whether it calls a provider or not.
    external: [...AS_DEPLOYED.external, '@opentelemetry/api'],
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
