import { describe, expect, test } from 'vitest';
import { checkSettings, givenTestKey } from '../../../infra/local/settings.ts';
import { mintSecret } from '../../../shared/domain/api-key.ts';

/** Each variable: what it takes, what it does not take, and what a refusal says of it. */
const VARIABLES = [
  {
    name: 'PORT',
    right: ['0', '80', '4010', '65535'],
    wrong: ['', ' ', ' 80 ', '0x50', '1e3', '080', '-1', '+80', '80.0', '65536', '99999999', '๘๐', 'http'],
    says: 'PORT takes a number from 0 to 65535.',
  },
  ...['AWS_ENDPOINT_URL_DYNAMODB', 'PUBLIC_BASE_URL'].map((name) => ({
    name,
    right: ['', 'http://127.0.0.1:8000', 'https://pay.example.com/', 'https://pay.example.com/live'],
    wrong: [
      '127.0.0.1:8000',
      'ftp://127.0.0.1',
      'http:/127.0.0.1',
      ' http://127.0.0.1',
      'http://127.0.0.1 ',
      'http://127.0.0.1:99999',
      'http://a:b@127.0.0.1',
      'http://127.0.0.1/?a=1',
      'http://127.0.0.1/#a',
    ],
    says: `${name} takes an http or https URL without user name, query and fragment: http://127.0.0.1:8000.`,
  })),
  {
    name: 'TEST_KIT',
    right: ['', 'on', 'off'],
    wrong: ['Off', 'OFF', 'false', '0', ' off', 'no'],
    says: 'TEST_KIT takes one of: on, off.',
  },
  {
    name: 'WEBHOOKS_TO_LOOPBACK',
    right: ['', 'allowed', 'refused'],
    wrong: ['yes', 'true', '1', 'Allowed', 'denied'],
    says: 'WEBHOOKS_TO_LOOPBACK takes one of: allowed, refused.',
  },
  {
    name: 'KEEP_STREAM_RECORDS',
    right: ['', '0', '1'],
    wrong: ['true', 'yes', '01', ' 1'],
    says: 'KEEP_STREAM_RECORDS takes one of: 1, 0.',
  },
  {
    name: 'STRIPE_API_URL',
    right: ['', 'http://127.0.0.1:12111', 'https://api.example.com'],
    wrong: ['api.example.com', 'http://api.example.com', 'https://api.example.com/v1'],
    says: 'STRIPE_API_URL is to name an origin that secrets may be sent to: https://HOST, or http://127.0.0.1:PORT, and no path.',
  },
];

describe.each(VARIABLES)('$name', ({ name, right, wrong, says }) => {
  test.each(right)('may be %j', (given) => {
    expect(() => checkSettings({ [name]: given })).not.toThrow();
  });

  test.each(wrong)('is refused as %j, with what it takes and without the value', (given) => {
    expect(() => checkSettings({ [name]: given })).toThrow(new Error(says));
  });
});

test('what is not set is right', () => {
  expect(() => checkSettings({})).not.toThrow();
});

describe('the key that the environment names', () => {
  const TEST_KEY = mintSecret('test');

  test('is the key of the demo merchant where it is a test key', () => {
    expect(() => checkSettings({ PG_KEY: TEST_KEY })).not.toThrow();
    expect(givenTestKey({ PG_KEY: TEST_KEY })).toBe(TEST_KEY);
  });

  test.each([undefined, '', mintSecret('live')])('is for commands alone where it is %s', (given) => {
    expect(() => checkSettings({ PG_KEY: given })).not.toThrow();
    expect(givenTestKey({ PG_KEY: given })).toBeNull();
  });

  test.each(['pg_test_1', TEST_KEY.slice(0, -1), `${TEST_KEY} `, TEST_KEY.replace('test', 'tset')])(
    'is refused as %s, without being repeated',
    (given) => {
      expect(() => checkSettings({ PG_KEY: given })).toThrow(
        new Error('PG_KEY takes a key that this service has made: pg_test_….'),
      );
    },
  );
});
