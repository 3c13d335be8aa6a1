import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { baseUrlOf, configuredBaseUrl } from '../../shared/http/base-url.ts';

const PATH = '/api/v1/payments';
/** All headers by which a caller can claim the address of the service. */
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

describe('the base URL of responses, whatever a request claims,', () => {
  test('is the address that API Gateway reports, with its stage', () => {
    expect(baseUrlFor({ requestContext: contextOf(AWS_DOMAIN) })).toBe(`https://${AWS_DOMAIN}/api`);
  });

  test('is a custom domain, without a stage', () => {
    expect(baseUrlFor({ requestContext: contextOf('pay.example.com') })).toBe('https://pay.example.com');
  });

  test('is the stage variable, if the gateway reports no address', () => {
    const stageVariables = { PUBLIC_BASE_URL: 'http://127.0.0.1:4566/restapis/abc123/api/_user_request_' };
    expect(baseUrlFor({ stageVariables, requestContext: contextOf() })).toBe(stageVariables.PUBLIC_BASE_URL);
  });

  test('is the variable of the function, before all others', () => {
    vi.stubEnv('PUBLIC_BASE_URL', 'https://pay.example.com/');
    const stageVariables = { PUBLIC_BASE_URL: 'http://127.0.0.1:4566' };
    const said = { stageVariables, requestContext: contextOf(AWS_DOMAIN) };
    expect(baseUrlFor(said)).toBe('https://pay.example.com');
  });
});

test('without any configured address the request fails, rather than a guess', () => {
  vi.stubEnv('PUBLIC_BASE_URL', '');
  expect(() => baseUrlFor({ requestContext: contextOf() })).toThrow('PUBLIC_BASE_URL');
  expect(configuredBaseUrl).toThrow('PUBLIC_BASE_URL');
});
