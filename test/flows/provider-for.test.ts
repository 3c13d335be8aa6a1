import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import type { Connection } from '../../shared/domain/connection.ts';
import type { World } from '../../shared/domain/world.ts';
import { providerAt, providerFor } from '../../shared/flows/provider-for.ts';
import { simulatedProvider } from '../../shared/providers/simulated/simulated-provider.ts';
import type { ProviderSecrets } from '../../shared/store/worlds/provider-secrets.ts';
import { readSecretsBy } from '../../shared/store/worlds/read-provider-secrets.ts';
import { startAccountServer } from '../support/world/account-server.ts';
import { aWorld } from '../support/world/entities.ts';

const CONNECTION: Connection = {
  kind: 'stripe',
  token: 'x',
  account: 'acct_1',
  isTest: true,
  connectedAtMs: 1,
};
const live = (provider: Connection | null): World => ({ ...aWorld(), mode: 'live', provider });

afterEach(() => {
  vi.unstubAllEnvs();
});

const read: string[] = [];
function keep(secrets: ProviderSecrets | null): void {
  read.length = 0;
  readSecretsBy(async (worldId) => {
    read.push(worldId);
    return secrets;
  });
}

describe('the provider of a world', () => {
  it('is the simulator in test mode, whatever is connected, and no secret is read', async () => {
    keep({ secret_key: 'sk_test_1' });
    expect(await providerFor({ ...aWorld(), provider: CONNECTION })).toBe(simulatedProvider);
    expect(read).toEqual([]);
  });

  it('is missing in live mode until one is connected', async () => {
    keep(null);
    const missing = { code: 'live_mode_unavailable', status: 403 };
    await expect(providerFor(live(null))).rejects.toMatchObject(missing);
    expect(read).toEqual([]);
  });

  it('is the one that is connected, with the secrets that were given', async () => {
    const stripe = await startAccountServer();
    vi.stubEnv('STRIPE_API_URL', stripe.origin);
    stripe.open('sk_test_1', 'acct_1');
    keep({ secret_key: 'sk_test_1', webhook_secret: 'whsec_1' });
    const connection = { ...CONNECTION, origin: stripe.origin };
    const world = live(connection);
    const provider = await providerAt(world, connection);
    expect(provider.name).toBe('stripe');
    expect(await provider.verifyCredentials()).toEqual({
      kind: 'done',
      reported: { reference: 'acct_1', isTest: true },
    });
    expect(read).toEqual([world.id]);
    await stripe.stop();
  });

  it.each([
    ['', 'http://127.0.0.1:9'],
    ['http://127.0.0.1:9', undefined],
    ['http://127.0.0.1:9', 'http://127.0.0.1:99'],
  ])('is missing if the environment names the origin %j and it was connected at %j', async (named, made) => {
    vi.stubEnv('STRIPE_API_URL', named);
    keep({ secret_key: 'sk_test_1' });
    const connection = { ...CONNECTION, ...(made !== undefined && { origin: made }) };
    await expect(providerFor(live(connection))).rejects.toMatchObject({ code: 'provider_unavailable' });
    const provider = await providerAt(live(connection), connection);
    const unknown = { kind: 'unknown', why: 'account-not-connected' };
    expect(
      await provider.retrieveRefund({ refundId: 'ref_1', reference: 're_1', paymentReference: 'pi_1' }),
    ).toEqual(unknown);
    // Nor is a secret read.
    expect(read).toEqual([]);
  });

  it('without a webhook secret, rejects notifications signed with guessable values', async () => {
    keep({ secret_key: 'sk_test_1' });
    const provider = await providerAt(live(CONNECTION), CONNECTION);
    const nowMs = Date.now();
    const body = JSON.stringify({ id: 'evt_1', data: { object: { object: 'payment_intent', id: 'pi_1' } } });
    const at = Math.floor(nowMs / SECOND_MS);
    for (const guessed of ['', 'undefined', 'null', 'webhook_secret', 'sk_test_1']) {
      const signature = createHmac('sha256', guessed).update(`${at}.${body}`).digest('hex');
      const headers = { 'stripe-signature': `t=${at},v1=${signature}` };
      expect(await provider.parseNotification({ headers, body, nowMs }), guessed).toBeNull();
    }
  });

  it('gets no request if its secrets are missing or its kind is unknown', async () => {
    keep(null);
    await expect(providerFor(live(CONNECTION))).rejects.toMatchObject({ name: 'ProviderSecretsMissing' });
    keep({ secret_key: 'sk_test_1' });
    for (const kind of ['another', 'constructor', '__proto__']) {
      await expect(providerFor(live({ ...CONNECTION, kind }))).rejects.toThrow('there is no such provider');
    }
  });
});
