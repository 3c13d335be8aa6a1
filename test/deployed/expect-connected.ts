import { randomUUID } from 'node:crypto';
import { type AccountServer, startAccountServer } from '../support/world/account-server.ts';
import { runOperator } from './run-operator.ts';

interface Stages {
  /** Is left connected. */
  readonly one: { readonly stackName: string };
  /** Is disconnected again. */
  readonly two: { readonly stackName: string };
}

/**
 * Connects a live world of each of two stages to an account, by the commands of an operator. One of them is left
 * connected, so that the removal of the stage must delete its secrets.
 */
export async function expectConnected({ one, two }: Stages): Promise<void> {
  const stripe = await startAccountServer();
  try {
    await connect(one.stackName, stripe);
    const merchant = await connect(two.stackName, stripe);
    const ended = await runJson(two.stackName, stripe, ['disconnect', '--merchant', merchant, '--yes']);
    const [listed] = await runJson(two.stackName, stripe, ['list', '--merchant', merchant]);
    if (ended.provider !== null || listed.provider !== null) {
      throw new Error(`${merchant} is still connected`);
    }
  } finally {
    await stripe.stop();
  }
}

/** @returns the merchant */
async function connect(stackName: string, stripe: AccountServer): Promise<string> {
  const merchant = `live-${randomUUID().slice(0, 8)}`;
  const of = ['--merchant', merchant];
  await runOperator('keys', stackName, ['create', ...of, '--mode', 'live', '--preset', 'merchant']);
  const [early, rolled] = [newSecrets(), newSecrets()];
  stripe.open(early.secret_key, 'acct_deployed');
  stripe.open(rolled.secret_key, 'acct_deployed');
  const connecting = ['connect', ...of, '--provider', 'stripe'];
  const first = await runJson(stackName, stripe, connecting, early);
  const again = await runJson(stackName, stripe, connecting, rolled);
  // Calls with the secrets that the stage stores: the check fails with any others.
  stripe.open(early.secret_key, null);
  const checked = await runJson(stackName, stripe, ['check', ...of]);
  const isSame = first.webhook_url === again.webhook_url && again.webhook_url === checked.webhook_url;
  if (!isSame || checked.problem !== null) {
    throw new Error(
      `${merchant} was not connected as it should be: ${JSON.stringify({ first, again, checked })}`,
    );
  }
  return merchant;
}

function newSecrets() {
  const random = () => randomUUID().replaceAll('-', '');
  return { secret_key: `sk_test_${random()}`, webhook_secret: `whsec_${random()}` };
}

function runJson(stackName: string, stripe: AccountServer, args: readonly string[], input?: object) {
  return runOperator('providers', stackName, args, { STRIPE_API_URL: stripe.origin }, input);
}
