import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allOperations, withoutTestKit } from '../../../shared/contract/operations.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { type Host, startHost } from '../../support/world/host.ts';

interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const left = withoutTestKit(allOperations);
const kit = allOperations.filter((row) => !left.includes(row));

test('the test kit is what live keys cannot use, the sinks, and the schemas of its files', () => {
  const beyond = kit.filter(({ mode }) => mode !== 'test').map(({ path }) => path);
  expect(beyond).toEqual(['/sink/{token}', '/schemas/scenario.json', '/schemas/exam.json']);
  expect(left.filter(({ mode }) => mode === 'test')).toEqual([]);
});

describe('a service without the test kit', () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost({ env: { [VARIABLES.testKit]: 'off' } });
  });
  afterAll(() => host.stop());

  const ask = (address: string, init?: RequestInit) =>
    fetch(`${host.baseUrl}${address}`, {
      ...init,
      headers: { Authorization: `Bearer ${host.key}`, ...init?.headers },
    });

  test.each(kit)('has no $method $path', async ({ method, path }) => {
    const address = path.replaceAll(/[{]\w+[}]/g, 'x');
    const response = await ask(address, { method, ...(method !== 'GET' && { body: '{}' }) });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'route_not_found' });
  });

  test('documents only the other operations, so its console offers only those', async () => {
    const document = (await (await ask('/api/v1/openapi.json')).json()) as Document;
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(left.map(({ method, path }) => `${method} ${path}`).toSorted());
    const named = [...document.tags.map(({ name }) => name), ...Object.keys(document.components.schemas)];
    expect(named.filter((name) => /testkit|sink|clock|seed|purge/i.test(name))).toEqual([]);
    // The remaining schemas refer to no removed one.
    for (const [, address = ''] of JSON.stringify(document).matchAll(/"[$]ref":"#[/](.*?)"/g)) {
      const part = address.split('/').reduce<unknown>((at, step) => (at as never)?.[step], document);
      expect(part, address).toBeDefined();
    }
  });

  test('has a dashboard that knows that there is none', { tags: 'slow' }, async () => {
    expect(await (await ask('/console')).text()).toContain('data-test-kit="off"');
  });

  test('explains errors by the operations that exist here', async () => {
    const page = await (await ask('/errors/payment_not_found', { headers: { Accept: 'text/html' } })).text();
    expect(page).toContain('/api/v1/payments/{id}');
    expect(page).not.toContain('/api/v1/test/');
  });

  test('performs the other operations', async () => {
    const created = await ask('/api/v1/payments', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
      body: JSON.stringify({ amount: { currency: 'THB', minor: 1_000 }, method: 'promptpay' }),
    });
    expect(created.status).toBe(201);
  });
});
