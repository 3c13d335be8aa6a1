import { describe, expect, it } from 'vitest';
import { newId } from '../../shared/domain/id.ts';
import {
  derivedPageSecret,
  formatPageToken,
  isPageOver,
  isPageSecret,
  parsePageToken,
  qrAddressOf,
  qrSecretOf,
  replacePageTokens,
} from '../../shared/domain/page-token.ts';
import { randomBase62 } from '../../shared/domain/secret.ts';
import { worldIdOf } from '../../shared/domain/world.ts';

const newPageSecret = () => derivedPageSecret(randomBase62(32), 'page');

const parts = {
  worldId: worldIdOf('demo', 'test'),
  paymentId: newId('pay', Date.UTC(2026, 10, 2)),
  secret: newPageSecret(),
};
const token = formatPageToken(parts);

describe("the token in the address of a payer's page", () => {
  it('names the payment and the world that it shows, and proves it', () => {
    expect(parsePageToken(token)).toEqual(parts);
  });

  it('needs no encoding in a URL', () => {
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
    ['a capital letter in the part that names the payment', token.replace(/^./, 'A')],
    ['an id of a payment alone', parts.paymentId],
  ])('is not read with %s', (_name, text) => {
    expect(parsePageToken(text)).toBeNull();
  });
});

describe('the secret of a page', () => {
  it('opens only its own page', () => {
    expect(isPageSecret(parts.secret, parts.secret)).toBe(true);
    expect(isPageSecret(parts.secret, newPageSecret())).toBe(false);
  });

  it.each(['', 'short', `${parts.secret}a`])(
    'refuses a text of another length without an error: %j',
    (given) => {
      expect(isPageSecret(parts.secret, given)).toBe(false);
    },
  );

  it('refuses a text with as many characters and more bytes without an error', () => {
    expect(isPageSecret('aaaa', 'éééé')).toBe(false);
  });
});

describe("the token of a QR's picture", () => {
  const pageUrl = `https://pay.example/checkout/${token}`;
  const address = qrAddressOf({ pageUrl, pageSecret: parts.secret });

  it('leads to the same payment, and does not open the page', () => {
    const own = parsePageToken(address.split('/').at(-2) ?? '');
    expect(own).toEqual({ ...parts, secret: qrSecretOf(parts.secret) });
    expect(address).toMatch(/^https:\/\/pay\.example\/checkout\/[0-9A-Za-z]+\/qr\.svg$/);
    expect(isPageSecret(parts.secret, own?.secret ?? '')).toBe(false);
    expect(address).not.toContain(parts.secret);
  });

  it('stays what it is from release to release: pictures are in mails that were sent', () => {
    expect(qrSecretOf('S'.repeat(22))).toBe(derivedPageSecret('S'.repeat(22), 'qr'));
  });

  it('differs for each page', () => {
    const secrets = Array.from({ length: 500 }, () => qrSecretOf(newPageSecret()));
    expect(new Set(secrets).size).toBe(500);
  });
});

describe("a payer's page", () => {
  it('ends thirty days after the last step of its payment', () => {
    const thirtyDaysMs = 30 * 24 * 3_600_000;
    expect(isPageOver({ updatedAtMs: 5 }, 5 + thirtyDaysMs - 1)).toBe(false);
    expect(isPageOver({ updatedAtMs: 5 }, 5 + thirtyDaysMs)).toBe(true);
  });
});

describe('the tokens in a text', () => {
  const page = (of: string) => `https://pay.example/checkout/${of}`;
  const other = formatPageToken({ ...parts, worldId: worldIdOf('other', 'test') });
  const seen: unknown[] = [];
  const replaced = (text: string) =>
    replacePageTokens(text, parts.worldId, (found) => {
      seen.push(found);
      return { ...parts, secret: found.isQr ? 'Q'.repeat(22) : 'P'.repeat(22) };
    });
  const copy = (letter: string) => formatPageToken({ ...parts, secret: letter.repeat(22) });

  it('are replaced, those of pages and those of their pictures', () => {
    const text = (one: string, two: string) => `{"a":"${page(one)}","b":"${page(two)}/qr.svg"}`;
    expect(replaced(text(token, token))).toBe(text(copy('P'), copy('Q')));
    const { paymentId } = parts;
    expect(seen).toEqual([
      { paymentId, isQr: false },
      { paymentId, isQr: true },
    ]);
  });

  it('are left where they are of another world, elsewhere than in an address, or no tokens', () => {
    for (const text of [page(other), `/other/${token}`, page(`${parts.worldId}abc`)]) {
      expect(replaced(`${text} `)).toBe(`${text} `);
    }
  });

  it('are left out at the end of the text, which may have cut them', () => {
    const all = page(token);
    for (const cut of [all, all.slice(0, -1), page(parts.worldId), `${all}/qr.`]) {
      expect(replaced(`"${cut}`)).toBe(`"${page('…')}`);
    }
    expect(replaced(`${page(token)} "${all.slice(0, -1)}`)).toBe(`${page(copy('P'))} "${page('…')}`);
  });
});
