import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { beginCall } from '../../shared/http/call.ts';

const PATH = '/api/v1/payments';

function baseUrlFor(headers: Record<string, string>, requestContext: object): string {
  const event = { path: PATH, headers, requestContext } as unknown as APIGatewayProxyEvent;
  return beginCall(event).baseUrl;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the addresses in answers begin with where the service was asked', () => {
  test('on API Gateway, under its stage', () => {
    const domainName = 'abc123.execute-api.ap-southeast-1.amazonaws.com';
    const headers = { Host: domainName, 'X-Forwarded-Proto': 'https' };
    const requestContext = { domainName, apiId: 'abc123', stage: 'api', path: `/api${PATH}` };
    expect(baseUrlFor(headers, requestContext)).toBe(`https://${domainName}/api`);
  });

  test("under a domain of one's own, without a stage", () => {
    const domainName = 'pay.example.com';
    const headers = { Host: domainName, 'X-Forwarded-Proto': 'https' };
    const requestContext = { domainName, apiId: 'abc123', stage: 'api', path: PATH };
    expect(baseUrlFor(headers, requestContext)).toBe('https://pay.example.com');
  });

  test('on a LocalStack-compatible target that names the API in the path', () => {
    const requestContext = { apiId: 'abc123', stage: 'api', path: `/api${PATH}` };
    expect(baseUrlFor({ host: '127.0.0.1:4566' }, requestContext)).toBe(
      'http://127.0.0.1:4566/restapis/abc123/api/_user_request_',
    );
  });

  test('on a LocalStack-compatible target that names the API in the host', () => {
    const host = 'abc123.execute-api.localhost.localstack.cloud:4566';
    const headers = { Host: host, 'X-Forwarded-Proto': 'HTTP' };
    const requestContext = { apiId: 'abc123', stage: 'api', path: `/api${PATH}` };
    expect(baseUrlFor(headers, requestContext)).toBe(`http://${host}/api`);
  });

  test('on this machine', () => {
    const headers = { host: '127.0.0.1:4010', 'x-forwarded-proto': 'http' };
    expect(baseUrlFor(headers, { path: PATH, stage: 'local' })).toBe('http://127.0.0.1:4010');
  });

  test('unless whoever runs it says otherwise', () => {
    vi.stubEnv('PUBLIC_BASE_URL', 'https://pay.example.com/');
    const headers = { host: '10.0.0.7:8080', 'x-forwarded-proto': 'http' };
    expect(baseUrlFor(headers, { path: PATH, stage: 'local' })).toBe('https://pay.example.com');
  });
});
