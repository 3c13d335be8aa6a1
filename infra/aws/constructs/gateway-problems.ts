import { securityHeaders } from '../../../shared/contract/security-headers.ts';
import { type ErrorCode, entryOf } from '../../../shared/errors/catalogue.ts';

/**
 * The problems that API Gateway sends itself, if it refuses a request or a function gives no response. Every response
 * type is listed, even those that need settings that this service does not have, so that none is ever wrong.
 */
const GATEWAY_PROBLEMS = {
  BAD_REQUEST_BODY: 'malformed_json',
  BAD_REQUEST_PARAMETERS: 'validation_failed',
  // Sent with an AWS signature or with a key of API Gateway, neither of which is an API key of this service.
  UNAUTHORIZED: 'authentication_missing',
  EXPIRED_TOKEN: 'authentication_missing',
  INVALID_SIGNATURE: 'authentication_missing',
  INVALID_API_KEY: 'api_key_invalid',
  ACCESS_DENIED: 'permission_denied',
  WAF_FILTERED: 'permission_denied',
  RESOURCE_NOT_FOUND: 'route_not_found',
  // API Gateway's response type for an unknown address.
  MISSING_AUTHENTICATION_TOKEN: 'route_not_found',
  REQUEST_TOO_LARGE: 'body_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
  THROTTLED: 'rate_limited',
  QUOTA_EXCEEDED: 'rate_limited',
  // Whether the function has run is unknown. Sending the request again is safe.
  INTEGRATION_FAILURE: 'temporarily_unavailable',
  INTEGRATION_TIMEOUT: 'temporarily_unavailable',
  API_CONFIGURATION_ERROR: 'internal_error',
  AUTHORIZER_CONFIGURATION_ERROR: 'internal_error',
  AUTHORIZER_FAILURE: 'internal_error',
  // With all others listed, only an address that the gateway cannot parse is left.
  DEFAULT_4XX: 'route_not_found',
  DEFAULT_5XX: 'internal_error',
} as const satisfies Record<string, ErrorCode>;

const HEADERS = {
  'Content-Type': 'application/problem+json',
  'Cache-Control': 'no-store',
  ...securityHeaders('https:'),
};

/**
 * Turns API Gateway's own responses into problems of the catalogue, like those of the functions.
 * @param baseUrl the public address; by default API Gateway's own
 */
export function gatewayResponses(baseUrl = 'https://$context.domainName/$context.stage') {
  const responses = Object.entries(GATEWAY_PROBLEMS).map(([type, code]) => {
    const { status, title, advice, retryAfterSeconds } = entryOf(code);
    const headers = {
      ...HEADERS,
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    };
    const response = {
      statusCode: String(status),
      responseParameters: {
        ...Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]),
        ),
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
      },
      responseTemplates: {
        // This template is used whatever the caller accepts. The header above has the actual media type.
        'application/json': JSON.stringify({
          type: `${baseUrl}/errors/${code}`,
          title,
          status,
          code,
          detail: advice,
          instance: 'urn:request:$context.requestId',
        }),
      },
    };
    return [type, response] as const;
  });
  return Object.fromEntries(responses);
}
