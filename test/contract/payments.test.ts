import { describe, expect, it } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';
import { acceptedBody, fieldErrorsOf, refusalsOf } from '../support/world/refusals.ts';

const { createPayment, cancelPayment } = operations;
const amount = { currency: 'THB', minor: 10_000 };
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
/** A body as JSON text, for values that no JavaScript literal can express. */
const raw = (field: string) => `{"amount":{"currency":"THB","minor":10000},${field}}`;

describe('the body of Create Payment', () => {
  it('requires only an amount', () => {
    expect(refusalsOf(createPayment, { amount })).toEqual([]);
    expect(refusalsOf(createPayment, {})).toEqual(['amount: required']);
  });

  it('accepts seven payment methods and no others', () => {
    expect([...PAYMENT_METHODS].toSorted()).toEqual(
      'bank_transfer direct_debit installment linepay promptpay shopeepay truemoney'.split(' '),
    );
  });

  it.each<readonly [string, unknown]>([
    ['one satang', { amount: { currency: 'THB', minor: 1 } }],
    ['the largest amount', { amount: { currency: 'THB', minor: 999_999_999_999 } }],
    ['an amount written as 1e2', '{"amount":{"currency":"THB","minor":1e2}}'],
    ['an amount written as 5.0', '{"amount":{"currency":"THB","minor":5.0}}'],
    ...PAYMENT_METHODS.map((method) => [method, { amount, method }] as const),
    ['a reference of 255 characters', { amount, reference: 'r'.repeat(255) }],
    ['an empty description', { amount, description: '' }],
    ['a description of 500 characters', { amount, description: 'd'.repeat(500) }],
    ['Thai, emoji, tabs and line breaks', { amount, description: 'ตั๋ว\t2 ใบ 🎫\r\nขอบคุณ' }],
    ['an empty customer', { amount, customer: {} }],
    ['an email address of 254 characters', { amount, customer: { email: `${'a'.repeat(242)}@example.com` } }],
    ['an email address with an apostrophe', { amount, customer: { email: "o'brien@example.com" } }],
    ['a name of 120 characters', { amount, customer: { name: 'ก'.repeat(120) } }],
    ['one minute to pay', { amount, expires_in_minutes: 1 }],
    ['30 days to pay', { amount, expires_in_minutes: 43_200 }],
    ['an IPv4 address', { amount, client_ip: '203.0.113.7' }],
    ['an IPv6 address', { amount, client_ip: '2001:db8::1' }],
    ['an IPv6 address that ends in IPv4', { amount, client_ip: '856:24a:e494:d9b:e6b:f:154.49.50.147' }],
    ['no checkout page', { amount, checkout: false }],
    ['empty metadata', { amount, metadata: {} }],
    ['50 keys of metadata', { amount, metadata: keys(50) }],
    ['a metadata key of 40 characters', { amount, metadata: { ['k'.repeat(40)]: 1 } }],
    ['a metadata value of 500 characters', { amount, metadata: { note: 'v'.repeat(500) } }],
    ['metadata of every kind', { amount, metadata: { s: '', n: -1.5, t: true, f: false, none: null } }],
    [
      'an address with path, query and fragment',
      { amount, return_url: 'https://shop.example:8443/a/b?c=d#e' },
    ],
    ['a plain http address', { amount, return_url: 'http://localhost:3000/back' }],
    ['an address in capitals', { amount, return_url: 'HTTPS://SHOP.EXAMPLE/BACK' }],
    ['an address of 2,048 characters', { amount, return_url: `https://shop.example/${'p'.repeat(2_027)}` }],
  ])('accepts %s', (_name, body) => {
    expect(refusalsOf(createPayment, body)).toEqual([]);
  });

  it.each([
    ['no currency', { amount: { minor: 1 } }, ['amount.currency: required']],
    ['no minor', { amount: { currency: 'THB' } }, ['amount.minor: required']],
    ['an empty amount', { amount: {} }, ['amount.currency: required', 'amount.minor: required']],
    ['an amount of null', { amount: null }, ['amount: type']],
    ['a bare number as amount', { amount: 100 }, ['amount: type']],
    ['another currency', { amount: { currency: 'USD', minor: 1 } }, ['amount.currency: enum']],
    ['a currency in lower case', { amount: { currency: 'thb', minor: 1 } }, ['amount.currency: enum']],
    ['nothing to pay', { amount: { currency: 'THB', minor: 0 } }, ['amount.minor: min']],
    ['less than nothing to pay', { amount: { currency: 'THB', minor: -1 } }, ['amount.minor: min']],
    ['a satang too many', { amount: { currency: 'THB', minor: 1_000_000_000_000 } }, ['amount.minor: max']],
    ['a part of a satang', { amount: { currency: 'THB', minor: 1.5 } }, ['amount.minor: type']],
    ['an amount as text', { amount: { currency: 'THB', minor: '1' } }, ['amount.minor: type']],
    ['a minor of null', { amount: { currency: 'THB', minor: null } }, ['amount.minor: type']],
    ['a minor of true', { amount: { currency: 'THB', minor: true } }, ['amount.minor: type']],
    ['more than an amount has', { amount: { ...amount, major: 1 } }, ['amount.major: unknown']],
    ['an unknown method', { amount, method: 'cash' }, ['method: enum']],
    ['a method in capitals', { amount, method: 'PROMPTPAY' }, ['method: enum']],
    ['an empty reference', { amount, reference: '' }, ['reference: too_short']],
    ['a reference of 256 characters', { amount, reference: 'r'.repeat(256) }, ['reference: too_long']],
    ['a reference of null', { amount, reference: null }, ['reference: type']],
    ['a number as reference', { amount, reference: 1042 }, ['reference: type']],
    ['a null character', { amount, reference: 'a\u0000b' }, ['reference: format']],
    ['a delete character', { amount, description: 'a\u007fb' }, ['description: format']],
    ['a C1 control character', { amount, description: 'a\u0085b' }, ['description: format']],
    ['half of an emoji', raw(String.raw`"description":"a\ud83cb"`), ['description: format']],
    ['the other half of it', raw(String.raw`"customer":{"name":"\udf9f"}`), ['customer.name: format']],
    ['a description of 501 characters', { amount, description: 'd'.repeat(501) }, ['description: too_long']],
    ['a customer of null', { amount, customer: null }, ['customer: type']],
    ['a customer as text', { amount, customer: 'Somchai' }, ['customer: type']],
    [
      'a customer with an unknown field',
      { amount, customer: { nickname: 'S' } },
      ['customer.nickname: unknown'],
    ],
    ['no email address', { amount, customer: { email: 'somchai' } }, ['customer.email: format']],
    ['an empty email address', { amount, customer: { email: '' } }, ['customer.email: format']],
    ['two email addresses', { amount, customer: { email: 'a@b.co,c@d.co' } }, ['customer.email: format']],
    [
      'a line break in an email address',
      { amount, customer: { email: 'a@b.co\n' } },
      ['customer.email: format'],
    ],
    [
      'an email address of 255 characters',
      { amount, customer: { email: `${'a'.repeat(243)}@example.com` } },
      ['customer.email: too_long'],
    ],
    ['an empty name', { amount, customer: { name: '' } }, ['customer.name: too_short']],
    [
      'a name of 121 characters',
      { amount, customer: { name: 'ก'.repeat(121) } },
      ['customer.name: too_long'],
    ],
    ['no time to pay', { amount, expires_in_minutes: 0 }, ['expires_in_minutes: min']],
    ['more than 30 days to pay', { amount, expires_in_minutes: 43_201 }, ['expires_in_minutes: max']],
    [
      'half a minute',
      { amount, expires_in_minutes: 0.5 },
      ['expires_in_minutes: min', 'expires_in_minutes: type'],
    ],
    ['minutes as text', { amount, expires_in_minutes: '15' }, ['expires_in_minutes: type']],
    ['a checkout as text', { amount, checkout: 'true' }, ['checkout: type']],
    ['a checkout of 1', { amount, checkout: 1 }, ['checkout: type']],
    ['a checkout of null', { amount, checkout: null }, ['checkout: type']],
    ['no IP address', { amount, client_ip: '1.2.3.256' }, ['client_ip: format']],
    ['an IP address and a line break', { amount, client_ip: '::1\n' }, ['client_ip: format']],
    ['an IP address and a port', { amount, client_ip: '::1]:80' }, ['client_ip: format']],
    ['a host name as IP address', { amount, client_ip: 'localhost' }, ['client_ip: format']],
    ['metadata of null', { amount, metadata: null }, ['metadata: type']],
    ['51 keys of metadata', { amount, metadata: keys(51) }, ['metadata: too_long']],
    ['an empty metadata key', { amount, metadata: { '': 1 } }, ['metadata.: too_short']],
    [
      'a metadata key of 41 characters',
      { amount, metadata: { ['k'.repeat(41)]: 1 } },
      [`metadata.${'k'.repeat(41)}: too_long`],
    ],
    [
      'a metadata value of 501 characters',
      { amount, metadata: { a: 'v'.repeat(501) } },
      ['metadata.a: too_long'],
    ],
    ['an object in metadata', { amount, metadata: { a: { b: 1 } } }, ['metadata.a: type']],
    ['a list in metadata', { amount, metadata: { a: [1] } }, ['metadata.a: type']],
    ['a null character in metadata', { amount, metadata: { a: '\u0000' } }, ['metadata.a: format']],
    ['what turns a text around', { amount, description: 'paid \u202eton' }, ['description: format']],
    ['an invisible character in a reference', { amount, reference: 'order\u200b-1' }, ['reference: format']],
    ['an invisible character in metadata', { amount, metadata: { a: '\u2066' } }, ['metadata.a: format']],
    ['an unknown field', { amount, currency: 'THB' }, ['currency: unknown']],
  ])('refuses %s', (_name, body, refusals) => {
    expect(refusalsOf(createPayment, body)).toEqual(refusals);
  });

  it('gets all its errors at once', () => {
    const body = {
      amount: { currency: 'USD', minor: 0, tax: 1 },
      method: 'cash',
      reference: '',
      customer: { email: 'x', phone: '12', name: 1 },
      expires_in_minutes: 0,
      return_url: '/back',
      metadata: { a: {}, b: 'ok' },
      total: 1,
    };
    expect(refusalsOf(createPayment, body)).toEqual(
      [
        'amount.currency: enum',
        'amount.minor: min',
        'amount.tax: unknown',
        'customer.email: format',
        'customer.name: type',
        'customer.phone: format',
        'expires_in_minutes: min',
        'metadata.a: type',
        'method: enum',
        'reference: too_short',
        'return_url: format',
        'total: unknown',
      ].toSorted(),
    );
  });
});

describe('a hostile body of Create Payment', () => {
  it.each(['9007199254740993', '9223372036854775807', '1e999', '1e21'])(
    'refuses the number %s, which is larger than any amount',
    (number) => {
      const refusals = refusalsOf(createPayment, `{"amount":{"currency":"THB","minor":${number}}}`);
      expect(refusals).toContain('amount.minor: max');
      expect(refusals.filter((refusal) => !refusal.startsWith('amount.minor: '))).toEqual([]);
    },
  );

  it.each(['1e999', '-1e999'])('refuses the metadata number %s, which cannot be stored', (number) => {
    const refusals = refusalsOf(createPayment, raw(`"metadata":{"a":${number}}`));
    expect(refusals.map((refusal) => refusal.split(':')[0])).toEqual(['metadata.a']);
  });

  it.each([
    ['amount', '{"amount":[]}'],
    ['amount', '{"amount":["THB",1]}'],
    ['customer', raw('"customer":[]')],
    ['metadata', raw('"metadata":[]')],
    ['metadata', raw('"metadata":["a"]')],
    ['description', raw('"description":["a"]')],
    ['expires_in_minutes', raw('"expires_in_minutes":[15]')],
  ])('refuses a list as %s: %s', (field, body) => {
    expect(refusalsOf(createPayment, body)).toContain(`${field}: type`);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'refuses the unknown field %s in every object',
    (name) => {
      expect(refusalsOf(createPayment, raw(`"${name}":{"x":1}`))).toEqual([`${name}: unknown`]);
      expect(refusalsOf(createPayment, raw(`"customer":{"${name}":"x"}`))).toEqual([
        `customer.${name}: unknown`,
      ]);
      const inAmount = `{"amount":{"currency":"THB","minor":1,"${name}":1}}`;
      expect(refusalsOf(createPayment, inAmount)).toEqual([`amount.${name}: unknown`]);
    },
  );

  it.each(['__proto__', 'constructor', 'prototype'])(
    'loses no metadata silently: %s is kept or refused',
    (name) => {
      const body = raw(`"metadata":{"${name}":"x"}`);
      const refusals = refusalsOf(createPayment, body);
      const kept =
        refusals.length === 0 && Object.hasOwn(Object(acceptedBody(createPayment, body).metadata), name);
      expect(kept ? [`metadata.${name}: unknown`] : refusals).toEqual([`metadata.${name}: unknown`]);
    },
  );
});

describe("the customer's phone number", () => {
  const phoneOf = (phone: string) =>
    (acceptedBody(createPayment, { amount, customer: { phone } }).customer as { phone: string }).phone;

  it.each([
    ['0812345678', '+66812345678'],
    ['021234567', '+6621234567'],
    ['+66812345678', '+66812345678'],
    ['+14155552671', '+14155552671'],
    ['+123456789012345', '+123456789012345'],
    ['081-234-5678', '+66812345678'],
    ['081 234 5678', '+66812345678'],
    ['+66 81 234 5678', '+66812345678'],
    ['+660812345678', '+66812345678'],
    ['0066812345678', '+66812345678'],
    ['๐๘๑-๒๓๔-๕๖๗๘', '+66812345678'],
  ])('%s is kept as %s', (sent, kept) => {
    expect(phoneOf(sent)).toBe(kept);
  });

  it.each([
    ['', 'nothing'],
    ['812345678', 'neither + nor 0'],
    ['08123456789', 'a digit too many'],
    ['08123456', 'a digit too few'],
    ['+0812345678', 'a country that begins with 0'],
    ['+1234567890123456', '16 digits'],
    ['+6681234567a', 'a letter'],
    ['+6681234\n5678', 'a line break within'],
  ])('%j is refused: %s', (phone) => {
    expect(refusalsOf(createPayment, { amount, customer: { phone } })).toEqual(['customer.phone: format']);
  });
});

describe('the return address', () => {
  it.each([
    ['/back', 'it is relative'],
    ['//shop.example/back', 'it has no scheme'],
    ['shop.example/back', 'it has no scheme'],
    ['', 'it is empty'],
    ['https://', 'it has no host'],
    ['https:shop.example', 'it has no //'],
    [String.raw`https:\\shop.example`, 'it has backslashes'],
    ['https://somchai:secret@shop.example/', 'it has credentials'],
    ['https://somchai@shop.example/', 'it has a user'],
    ['javascript:alert(1)', 'it is code'],
    ['JaVaScRiPt:alert(1)//https://shop.example', 'it is code'],
    ['data:text/html,x', 'it is a document'],
    ['ftp://shop.example/', 'it is not of the web'],
    [' https://shop.example/', 'it begins with a space'],
    ['https://shop.example/ ', 'it ends with a space'],
    ['https://shop.example/a b', 'it has a space in it'],
    ['https://shop.example/\r\nSet-Cookie:a=b', 'it has a line break in it'],
    ['https://sh\top.example/', 'it has a tab in it'],
    ['https://shop.example/\u0000', 'it has a null character in it'],
    [String.raw`https://shop.example\@evil.example/`, 'browsers go to the name before the backslash'],
    ['https:///shop.example/', 'it has no host'],
    ['https://@shop.example/', 'it has an empty user'],
    ['https://shop。example/', 'it has another dot in its host'],
    ['https://ｓhop.example/', 'it has a letter in its host that becomes another one'],
    ['https://%73hop.example/', 'it has an escaped host'],
    ['https://sh\u200dop.example/', 'it has an unseen character in its host'],
    ['http://[fe80::1%25eth0]/', 'it has a zone'],
  ])('%j is refused: %s', (return_url) => {
    expect(refusalsOf(createPayment, { amount, return_url })).toEqual(['return_url: format']);
  });

  it('is refused with a sentence that says what it may not have', () => {
    const [error] = fieldErrorsOf(createPayment, { amount, return_url: String.raw`https://a.example\b` });
    expect(error?.message).toMatch(/^must be an absolute http or https URL.*backslashes/);
  });

  it('of 2,049 characters is refused', () => {
    const return_url = `https://shop.example/${'p'.repeat(2_028)}`;
    expect(return_url).toHaveLength(2_049);
    expect(refusalsOf(createPayment, { amount, return_url })).toEqual(['return_url: too_long']);
  });
});

describe('the messages about a body', () => {
  const MARKER = 'Zq7xMARKERw9';
  const hostile = {
    amount: { currency: MARKER, minor: MARKER },
    method: MARKER,
    reference: MARKER.repeat(30),
    description: `${MARKER}\u0000`,
    customer: { email: MARKER, name: MARKER.repeat(20), phone: MARKER },
    expires_in_minutes: MARKER,
    checkout: MARKER,
    client_ip: MARKER,
    metadata: { a: MARKER.repeat(60), b: { c: MARKER }, d: [MARKER] },
    return_url: `javascript:${MARKER}`,
    unknown_field: MARKER,
  };

  it('never repeat a value that was sent', () => {
    const errors = fieldErrorsOf(createPayment, hostile);
    expect(new Set(errors.map(({ field }) => field.split('.')[0]))).toEqual(new Set(Object.keys(hostile)));
    expect(JSON.stringify(errors)).not.toContain(MARKER);
  });

  it('never repeat a number, and name what is expected', () => {
    const errors = fieldErrorsOf(createPayment, {
      amount: { currency: 'THB', minor: 8_675_309_000_000 },
      expires_in_minutes: 86_753,
    });
    expect(JSON.stringify(errors)).not.toContain('8675');
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('999999999999'),
      expect.stringContaining('43200'),
    ]);
  });

  it('name the values that a field can have', () => {
    const [error] = fieldErrorsOf(createPayment, { amount, method: 'cash' });
    expect(PAYMENT_METHODS.filter((method) => !error?.message.includes(method))).toEqual([]);
  });
});

describe('the body of Cancel Payment', () => {
  it.each([
    ['{}', []],
    ['{"payment_id":"pay_01h455vb4pex5vsknk084sn02q"}', []],
    ['{"payment_id":1}', ['payment_id: type']],
    ['{"payment_id":null}', ['payment_id: type']],
    ['{"id":"pay_x","reason":"x"}', ['id: unknown', 'reason: unknown']],
  ])('%s is refused for %j', (body, refusals) => {
    expect(refusalsOf(cancelPayment, body)).toEqual(refusals);
  });
});
