import { describe, expect, test } from 'vitest';
import { readSigningSecret, shownSecret } from '../../../infra/events/signing-secret.ts';
import { createClient } from '../../../shared/client/client.ts';
import { webhooks } from '../../../shared/client/webhooks.ts';
import { derivedBytes, newSigningSecret } from '../../../shared/domain/secret.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';

function secretOf(key: string, url = baseUrl): Promise<string> {
  return readSigningSecret({ client: createClient({ baseUrl: url, key }), key });
}

describe('the secret that signs what pg sends to a receiver', () => {
  test('is one for a key, by whichever name the service is called, and outlives a purge', async () => {
    const { secret: key } = await newKey();
    const first = await secretOf(key);
    expect(webhooks.readSecret(first)).toBe(first);
    expect(await secretOf(key, `http://localhost:${new URL(baseUrl).port}/`)).toBe(first);
    await createClient({ baseUrl, key }).purgeTestData();
    expect(await secretOf(key)).toBe(first);
  });

  test('is another one for another key, another merchant and another world', async () => {
    const one = await newKey();
    const sameMerchant = await newKey({ merchant: one.merchant });
    const other = await newKey();
    const { key: ofWorld } = await createClient({ baseUrl, key: one.secret }).createTestWorld({ name: 'a' });
    const keys = [one.secret, sameMerchant.secret, other.secret, ofWorld];
    const secrets = await Promise.all(keys.map((key) => secretOf(key)));
    expect(new Set(secrets).size).toBe(keys.length);
    const worlds = ['one', 'two'].map((world) =>
      readSigningSecret({ client: { getKey: () => Promise.resolve({ world }) } as never, key: one.secret }),
    );
    expect(new Set(await Promise.all(worlds)).size).toBe(2);
  });

  test('is derived for this purpose alone, and its beginning tells nothing of the rest', async () => {
    const getKey = () => Promise.resolve({ world: 'acme' });
    const secret = await readSigningSecret({ client: { getKey } as never, key: 'pg_test_key' });
    expect(secret).not.toBe(newSigningSecret(derivedBytes('pg_test_key', 'acme')));
    expect(shownSecret(secret)).toBe(`${secret.slice(0, 10)}…`);
  });
});
