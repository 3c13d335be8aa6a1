import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect, test } from 'vitest';
import { requestLine } from '../../../infra/local/request-line.ts';
import { allOperations } from '../../../shared/contract/operations.ts';
import { matchRoute } from '../../../shared/contract/routes.ts';

const TOKEN = 'h7Gq2LmZ'.repeat(6);
const ANSWER = { statusCode: 200, headers: { 'X-Request-Id': 'req_1' }, body: '{}' };
const REFUSAL = {
  statusCode: 409,
  headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'req_2' },
  body: '{"code":"invalid_state"}',
};

function lineOf(method: string, target: string, result: APIGatewayProxyResult = ANSWER): string {
  const url = new URL(target, 'http://127.0.0.1:4010');
  const match = matchRoute(allOperations, method, url.pathname);
  return requestLine({ at: new Date(2026, 10, 2, 10, 0, 5), method, url, match, result, durationMs: 12.4 });
}

test('a request is a line of time, method, path, status, duration and id', () => {
  expect(lineOf('GET', '/api/v1/payments')).toBe('10:00:05  GET     /api/v1/payments  200  12 ms  req_1');
});

test('the line of a refusal has its code', () => {
  expect(lineOf('POST', '/api/v1/payments/pay_1/cancel', REFUSAL)).toBe(
    '10:00:05  POST    /api/v1/payments/pay_1/cancel  409  invalid_state  12 ms  req_2',
  );
});

test.each([
  ['GET', `/checkout/${TOKEN}`, '/checkout/h7Gq2L…'],
  ['GET', `/checkout/${TOKEN}/qr.svg`, '/checkout/h7Gq2L…/qr.svg'],
  ['POST', `/sink/${TOKEN}`, '/sink/h7Gq2L…'],
  ['GET', '/l/k3v8w1x5za', '/l/k3v8w1…'],
  ['POST', `/providers/stripe/${TOKEN}`, '/providers/stripe/h7Gq2L…'],
  ['GET', '/errors/invalid_state', '/errors/invalid_state'],
  ['GET', '/api/v1/payments?reference=Somchai', '/api/v1/payments'],
  ['GET', `/${'x'.repeat(200)}`, `/${'x'.repeat(99)}…`],
])('the line of %s %s shows no secret, no query and no endless path', (method, target, shown) => {
  expect(
    lineOf(method, target)
      .split(/ +/)
      .filter((part) => part.startsWith('/')),
  ).toEqual([shown]);
});
