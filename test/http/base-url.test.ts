import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { baseUrlOf, configuredBaseUrl } from '../../shared/http/base-url.ts';

const PATH = '/api/v1/payments';
/** All that a caller can say about where the service is. */
const LIES = {
  host: 'evil.example',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
  forwarded: 'host=evil.example;proto=http',
};
const AWS_DOMAIN = 'abc123.execute-api.ap-southeast-1.amazonaws.com';

function baseUrlFor(said: Partial<APIGatewayProxyEvent>): string {
  return baseUrlOf({ path: PATH, headers: LIES, ...said } as unknown as APIGatewayProxyEvent);
}

function contextOf(domainName?: string): APIGatewayProxyEvent['requestContext'] {
  const context = { domainName, apiId: 'abc123', stage: 'api', path: `/api${PATH}` };
  return context as unknown as APIGatewayProxyEvent['requestContext'];
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the addresses in answers begin, whatever a request says of itself,', () => {
  test('with where API Gateway says that it was asked: under its stage', () => {
    expect(baseUrlFor({ requestContext: contextOf(AWS_DOMAIN) })).toBe(`https://${AWS_DOMAIN}/api`);
  });

  test("with a domain of one's own, without a stage", () => {
    expect(baseUrlFor({ requestContext: contextOf('pay.example.com') })).toBe('https://pay.example.com');
  });

  test('with what the stage was told, on a target that does not say where it is', () => {
    const stageVariables = { PUBLIC_BASE_URL: 'http://127.0.0.1:4566/restapis/abc123/api/_user_request_' };
    expect(baseUrlFor({ stageVariables, requestContext: contextOf() })).toBe(stageVariables.PUBLIC_BASE_URL);
  });

  test('with what the function was told, above all', () => {
    vi.stubEnv('PUBLIC_BASE_URL', 'https://pay.example.com/');
    const stageVariables = { PUBLIC_BASE_URL: 'http://127.0.0.1:4566' };
    const said = { stageVariables, requestContext: contextOf(AWS_DOMAIN) };
    expect(baseUrlFor(said)).toBe('https://pay.example.com');
  });
});

test('where nobody says where the service is, nothing is answered rather than a guess', () => {
  vi.stubEnv('PUBLIC_BASE_URL', '');
  expect(() => baseUrlFor({ requestContext: contextOf() })).toThrow('PUBLIC_BASE_URL');
  expect(configuredBaseUrl).toThrow('PUBLIC_BASE_URL');
});
