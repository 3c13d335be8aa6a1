import { describe, expect, it } from 'vitest';
import {
  isSameAccount,
  newNotificationToken,
  notificationUrl,
  type ProviderAccount,
  providerAccountOf,
} from '../../shared/domain/connection.ts';

const account: ProviderAccount = { kind: 'stripe', account: 'acct_1', isTest: false };
const elsewhere = { ...account, origin: 'https://stand-in.example' };

describe('the account of a connection', () => {
  it('is stored without anything else of the connection', () => {
    const connection = { ...account, token: 't', connectedAtMs: 1 };
    expect(providerAccountOf(connection)).toStrictEqual(account);
    expect(providerAccountOf({ ...connection, origin: elsewhere.origin })).toStrictEqual(elsewhere);
  });

  it.each([
    ['the same account', account, { ...account }, true],
    ['the account of a connection', account, { ...account, token: 't' } as ProviderAccount, true],
    ['any account, where none was stored', undefined, account, true],
    ['an account that was not stored', account, undefined, true],
    ['nothing stored on either side', undefined, undefined, true],
    ['another account', account, { ...account, account: 'acct_2' }, false],
    ['an account of another provider', account, { ...account, kind: 'other' }, false],
    ['the test mode of the account', account, { ...account, isTest: true }, false],
    ['the account at another origin', account, elsewhere, false],
  ])('fits %s as it should', (_name, one, other, isSame) => {
    expect(isSameAccount(one, other)).toBe(isSame);
    expect(isSameAccount(other, one)).toBe(isSame);
  });
});

it('notifications of a provider come to a URL that nobody can guess', () => {
  const token = newNotificationToken();
  expect(token).toMatch(/^[0-9A-Za-z]{32}$/);
  expect(newNotificationToken()).not.toBe(token);
  expect(notificationUrl({ kind: 'stripe', token }, 'https://pay.example')).toBe(
    `https://pay.example/providers/stripe/${token}`,
  );
});
