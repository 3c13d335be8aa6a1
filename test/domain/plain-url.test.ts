import { describe, expect, it } from 'vitest';
import { PLAIN_URL, readPlainUrl } from '../../shared/domain/plain-url.ts';

describe('a URL that all programs read alike', () => {
  it.each([
    ['https://shop.example/hooks', 'https://shop.example/hooks'],
    ['http://shop.example', 'http://shop.example/'],
    ['HTTPS://Shop.Example:8443/a?b=c#d', 'https://shop.example:8443/a?b=c#d'],
    ['https://shop.example:/a', 'https://shop.example/a'],
    ['https://a/b', 'https://a/b'],
    ['https://shop.example?b=c', 'https://shop.example/?b=c'],
    ['https://shop.example#d', 'https://shop.example/#d'],
    ['https://ร้าน.example/', 'https://xn--q3ct9b5e.example/'],
    // A joiner is a letter's form in some scripts.
    ['https://shop.example/ক\u200dষ', 'https://shop.example/%E0%A6%95%E2%80%8D%E0%A6%B7'],
    ['https://127.0.0.1:3000/', 'https://127.0.0.1:3000/'],
    ['https://127.1/', 'https://127.0.0.1/'],
    ['https://0x7f.1/', 'https://127.0.0.1/'],
    ['https://2130706433/', 'https://127.0.0.1/'],
    ['https://[::1]:3000/', 'https://[::1]:3000/'],
    ['https://[0:0::1]/', 'https://[::1]/'],
  ])('is %s', (text, href) => {
    expect(readPlainUrl(text)?.href).toBe(href);
  });

  it.each([
    ['nothing', ''],
    ['another scheme', 'ftp://shop.example/'],
    ['something before it', 'see https://shop.example/'],
    ['another scheme before it', 'xhttps://shop.example/'],
    ['no host', 'https://'],
    ['no host before its path', 'https:///a'],
    ['one slash', 'https:/shop.example'],
    ['a user', 'https://user@shop.example/'],
    ['a user and a password', 'https://user:secret@shop.example/'],
    ['a backslash for a slash', 'https://shop.example\\@other.example/'],
    ['a backslash in its path', 'https://shop.example/a\\b'],
    ['a space', 'https://shop.example/a b'],
    ['a space at its end', 'https://shop.example/ '],
    ['a tab in its host', 'https://shop\t.example/'],
    ['a line break', 'https://shop.example/\nb'],
    ['a control character', 'https://shop.example/\u0001'],
    ['an unseen character', 'https://shop.example/a\u200bb'],
    ['half a character', 'https://shop.example/\ud800'],
    ['an escape in its host', 'https://sh%6Fp.example/'],
    ['a full-width dot in its host', 'https://shop．example/'],
    ['full-width letters in its host', 'https://ｓhop.example/'],
    ['an address in full-width digits', 'https://１２７.0.0.1/'],
    ['an address in circled digits', 'https://①27.0.0.1/'],
    ['an address that ends in one', 'https://127.0.0.①/'],
    ['a port that is too large', 'https://shop.example:65536/'],
    ['a port that is no number', 'https://shop.example:http/'],
    ['an address that is none', 'https://256.256.256.256/'],
    ['a soft hyphen in its host', 'https://sh\u00adop.example/'],
  ])('is none with %s', (_name, text) => {
    expect(readPlainUrl(text)).toBeNull();
  });

  it('is described to those who get it wrong', () => {
    expect(PLAIN_URL).toMatch(/^without user name and password, .*no backslashes, spaces, .*look-alikes$/);
  });
});
