import { expect, test } from 'vitest';
import { newId } from '../../../shared/domain/id.ts';
import type { LoggedRequest } from '../../../shared/domain/logged-request.ts';
import { formatPageToken, qrSecretOf } from '../../../shared/domain/page-token.ts';
import { LINK_CODE } from '../../../shared/domain/payment-link.ts';
import { forkAddresses } from '../../../shared/domain/testkit/fork-addresses.ts';

const [SOURCE, TARGET] = [{ id: '0123456789abcdef' }, { id: 'w123456789abcdef' }];
const PAYMENT = newId('pay', 0);
const SECRET = 'S'.repeat(22);
const CODE = '0123456789';
const page = (secret: string, { id: worldId } = SOURCE) =>
  `https://pay.example/checkout/${formatPageToken({ worldId, paymentId: PAYMENT, secret })}`;
const logged = (more: Partial<LoggedRequest>) =>
  ({
    operation: 'payments.CreatePayment',
    code: null,
    requestBody: null,
    responseBody: null,
    ...more,
  }) as LoggedRequest;

test("a page's address and that of its QR picture stay a pair in a copy", () => {
  const addresses = forkAddresses(SOURCE, TARGET, []);
  const [copied, picture] = addresses
    .ofEvent(`{"a":"${page(SECRET)}","b":"${page(qrSecretOf(SECRET))}/qr.svg"}`)
    .match(/https:[^"]*/g) as [string, string];
  const secret = copied.slice(-SECRET.length);
  expect(copied).toBe(page(secret, TARGET));
  expect(picture).toBe(`${page(qrSecretOf(secret), TARGET)}/qr.svg`);
  expect(secret).not.toBe(SECRET);
});

test('two copies of a world have other addresses, and one copy always the same', () => {
  const [one, other] = [forkAddresses(SOURCE, TARGET, []), forkAddresses(SOURCE, TARGET, [])];
  expect(one.codeOf(CODE)).toMatch(LINK_CODE);
  expect(one.codeOf(CODE)).toBe(one.codeOf(CODE));
  expect(one.codeOf(CODE)).not.toBe(other.codeOf(CODE));
  expect(one.sinkTokenOf('token')).not.toBe(other.sinkTokenOf('token'));
  expect(one.ofEvent(page(SECRET).concat('"'))).not.toBe(other.ofEvent(page(SECRET).concat('"')));
});

test('a logged body that is cut within an address does not show the start of its secret', () => {
  const { ofRequest } = forkAddresses(SOURCE, TARGET, []);
  const { responseBody } = ofRequest(
    logged({ responseBody: `{"checkout_url":"${page(SECRET).slice(0, -1)}` }),
  );
  expect(responseBody).toBe('{"checkout_url":"https://pay.example/checkout/…');
});

test('a logged response has the code of the copied link, and a logged problem keeps its own', () => {
  const { ofRequest, codeOf } = forkAddresses(SOURCE, TARGET, []);
  const operation = 'checkout.DisablePaymentLink';
  const responseBody = `{"code":"${CODE}","url":"https://pay.example/l/${CODE}"}`;
  const own = codeOf(CODE);
  expect(ofRequest(logged({ operation, responseBody })).responseBody).toBe(
    responseBody.replaceAll(CODE, own),
  );
  const refused = logged({ operation, code: 'invalid_state', responseBody: '{"code":"invalid_state"}' });
  expect(ofRequest(refused)).toEqual(refused);
});

test('an address of another world in a text of the merchant stays as it is', () => {
  const { ofEvent } = forkAddresses(SOURCE, TARGET, []);
  const body = `{"description":"${page(SECRET, { id: 'fedcba9876543210' })}"}`;
  expect(ofEvent(body)).toBe(body);
});
