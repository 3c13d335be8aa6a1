import { describe, expect, it } from 'vitest';
import { newId } from '../../shared/domain/id.ts';
import {
  formatPageToken,
  isPageSecret,
  newPageSecret,
  parsePageToken,
} from '../../shared/domain/page-token.ts';
import { worldIdOf } from '../../shared/domain/world.ts';

const parts = {
  worldId: worldIdOf('demo', 'test'),
  paymentId: newId('pay', Date.UTC(2026, 10, 2)),
  secret: newPageSecret(),
};
const token = formatPageToken(parts);

describe("the token in the address of a payer's page", () => {
  it('says which payment of which world it shows, and proves it', () => {
    expect(parsePageToken(token)).toEqual(parts);
  });

  it('can stand in an address as it is', () => {
    expect(encodeURIComponent(token)).toBe(token);
  });

  it('has 22 random characters, never the same twice', () => {
    const secrets = Array.from({ length: 500 }, newPageSecret);
    expect(secrets.filter((secret) => !/^[0-9A-Za-z]{22}$/.test(secret))).toEqual([]);
    expect(new Set(secrets).size).toBe(500);
  });

  it.each([
    ['nothing', ''],
    ['one character too few', token.slice(1)],
    ['one character too many', `${token}a`],
    ['a line break at its end', `${token}\n`],
    ['a slash in it', `${token.slice(0, -1)}/`],
    ['a capital letter where the place is told', token.replace(/^./, 'A')],
    ['an id of a payment alone', parts.paymentId],
  ])('is not read with %s', (_name, text) => {
    expect(parsePageToken(text)).toBeNull();
  });
});

describe('the secret of a page', () => {
  it('opens its own page only', () => {
    expect(isPageSecret(parts.secret, parts.secret)).toBe(true);
    expect(isPageSecret(parts.secret, newPageSecret())).toBe(false);
  });

  it.each(['', 'short', `${parts.secret}a`])(
    'is refused, not broken, by a text of another length: %j',
    (given) => {
      expect(isPageSecret(parts.secret, given)).toBe(false);
    },
  );

  it('is refused, not broken, where a text has as many characters and more bytes', () => {
    expect(isPageSecret('aaaa', 'éééé')).toBe(false);
  });
});
