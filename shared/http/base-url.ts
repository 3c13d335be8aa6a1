import type { APIGatewayProxyEvent } from 'aws-lambda';
import { BASE_URL_VARIABLE } from '../contract/base-url.ts';

/** Of AWS itself, under which an API answers below the name of its stage; under a name of one's own it does not. */
const AWS_DOMAIN = /^[^.]+\.execute-api\./;

/**
 * Where the service answers, as it was configured, else as API Gateway says: never as the request says, for people
 * follow the addresses in answers (contract §3).
 */
export function baseUrlOf({ stageVariables, requestContext }: APIGatewayProxyEvent): string {
  const configured = process.env[BASE_URL_VARIABLE] || stageVariables?.[BASE_URL_VARIABLE];
  if (configured) {
    return withoutSlash(configured);
  }
  const { domainName, stage } = requestContext;
  if (domainName === undefined) {
    throw new Error(`the gateway does not say where it answers, so ${BASE_URL_VARIABLE} must`);
  }
  return `https://${domainName}${AWS_DOMAIN.test(domainName) ? `/${stage}` : ''}`;
}

/**
 * Where the service answers, for what happens without a request.
 * @param otherwise where nothing is configured
 */
export function configuredBaseUrl(otherwise?: string): string {
  const configured = process.env[BASE_URL_VARIABLE] || otherwise;
  if (!configured) {
    throw new Error(`${BASE_URL_VARIABLE} is not set`);
  }
  return withoutSlash(configured);
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
