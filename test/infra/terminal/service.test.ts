import { afterEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../../infra/terminal/service.ts';

const URL_RULE = 'PG_BASE_URL takes an http or https URL without user name, query and fragment';
const KEY_RULE = 'PG_KEY takes an API key: pg_test_…';
const SECRET = 'hunter2';

afterEach(() => vi.unstubAllEnvs());

describe('the service that the environment names', () => {
  test.each([
    ['PG_BASE_URL', '', URL_RULE],
    ['PG_BASE_URL', 'pay.example.com', URL_RULE],
    ['PG_BASE_URL', `https://me:${SECRET}@pay.example.com`, URL_RULE],
    ['PG_BASE_URL', `https://pay.example.com?key=${SECRET}`, URL_RULE],
    ['PG_BASE_URL', String.raw`https:\\pay.example.com`, URL_RULE],
    ['PG_BASE_URL', ' https://pay.example.com', URL_RULE],
    ['PG_KEY', '', KEY_RULE],
    ['PG_KEY', SECRET, KEY_RULE],
    ['PG_KEY', `pg_test_${SECRET} `, KEY_RULE],
    ['PG_KEY', `Bearer pg_test_${SECRET}`, KEY_RULE],
  ])('is refused by the name of its variable, without its value: %s=%s', async (name, given, rule) => {
    vi.stubEnv('PG_BASE_URL', 'https://pay.example.com');
    vi.stubEnv('PG_KEY', 'pg_test_1');
    vi.stubEnv(name, given);
    const error = await connect({ dir: '.local' }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining(rule) });
    expect(error).not.toMatchObject({ message: expect.stringContaining(SECRET) });
  });

  test('is called with what stands there', async () => {
    vi.stubEnv('PG_BASE_URL', 'https://pay.example.com/it');
    vi.stubEnv('PG_KEY', 'pg_live_1');
    expect(await connect({ dir: '.local' })).toMatchObject({
      ...{ baseUrl: 'https://pay.example.com/it', key: 'pg_live_1', isLive: true, localKey: null },
    });
  });
});
