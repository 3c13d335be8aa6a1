import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, entryOf } from '../../shared/errors/catalogue.ts';

/** What API Gateway refuses before a function is asked, or answers for one that gave no answer. */
export const GATEWAY_PROBLEMS = {
  THROTTLED: 'rate_limited',
  REQUEST_TOO_LARGE: 'body_too_large',
  INTEGRATION_TIMEOUT: 'temporarily_unavailable',
  // What API Gateway says of an address that it does not know.
  MISSING_AUTHENTICATION_TOKEN: 'route_not_found',
  // It checks nothing of a request but the address.
  DEFAULT_4XX: 'route_not_found',
  DEFAULT_5XX: 'internal_error',
} as const satisfies Record<string, ErrorCode>;

/** Makes API Gateway's own answers problems of the catalogue, like those of the functions. */
export function answerOwnProblems(api: RestApi): void {
  for (const [type, code] of Object.entries(GATEWAY_PROBLEMS)) {
    const { status, title, advice, retryAfterSeconds } = entryOf(code);
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: String(status),
      responseHeaders: {
        'Content-Type': "'application/problem+json'",
        'Cache-Control': "'no-store'",
        'X-Content-Type-Options': "'nosniff'",
        'X-Request-Id': 'context.requestId',
        ...(retryAfterSeconds !== undefined && { 'Retry-After': `'${retryAfterSeconds}'` }),
      },
      templates: {
        // The one template that is used whatever the caller accepts; the header above says what it really is.
        'application/json': JSON.stringify({
          type: `https://$context.domainName/$context.stage/errors/${code}`,
          title,
          status,
          code,
          detail: advice,
          instance: 'urn:request:$context.requestId',
        }),
      },
    });
  }
}
