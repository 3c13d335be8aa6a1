import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readVariable, VARIABLES } from '../environment/variables.ts';

/** AWS's own domains: there the stage is the first segment of the path. Under a custom domain it is not. */
const AWS_DOMAIN = /^[^.]+\.execute-api\./;

/**
 * The base URL of the service: the configured one, else API Gateway's. It never comes from the request's own headers,
 * since people follow the addresses in responses (contract §3).
 */
export function baseUrlOf({ stageVariables, requestContext }: APIGatewayProxyEvent): string {
  const configured = readVariable('baseUrl') || stageVariables?.[VARIABLES.baseUrl];
  if (configured) {
    return withoutSlash(configured);
  }
  const { domainName, stage } = requestContext;
  if (domainName === undefined) {
    throw new Error(`the event has no domain name, so ${VARIABLES.baseUrl} must be set`);
  }
  return `https://${domainName}${AWS_DOMAIN.test(domainName) ? `/${stage}` : ''}`;
}

/**
 * The base URL of the service, for code that runs without a request.
 * @param otherwise used if none is configured
 * @throws Error if there is neither
 */
export function configuredBaseUrl(otherwise?: string): string {
  const configured = readVariable('baseUrl') || otherwise;
  if (!configured) {
    throw new Error(`${VARIABLES.baseUrl} is not set`);
  }
  return withoutSlash(configured);
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
