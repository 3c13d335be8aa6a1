import { spawn } from 'node:child_process';
import { once } from 'node:events';

/*
 * node test/providers/stripe/run-in-sandbox.ts: the tests of every provider against Stripe itself, with a key of its test mode. No payer
 * or bank acts there, so payments, refunds and notifications are tested only on the stand-in.
 */

const VARIABLE = 'STRIPE_SANDBOX_KEY';
const key = process.env[VARIABLE];

if (key === undefined || key === '') {
  console.log(`NOTHING WAS RUN: ${VARIABLE} names no secret key of Stripe's test mode (sk_test_…).`);
} else if (!/^[sr]k_test_/.test(key)) {
  console.error(`Nothing was run: ${VARIABLE} is not a key of Stripe's test mode (sk_test_…).`);
  process.exitCode = 1;
} else {
  const tests = ['--project', 'stripe', 'test/providers/conformance.stripe.test.ts'];
  const child = spawn('vitest', ['run', ...tests, '-t', "Stripe's sandbox"], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  process.exitCode = Number(code ?? 1);
}
