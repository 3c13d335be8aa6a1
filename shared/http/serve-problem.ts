import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Problem } from '../errors/problem.ts';
import type { Call } from './call.ts';
import { frame, type LambdaHandler } from './frame.ts';
import { missingPage } from './serve-docs.ts';
import { problemPage } from './serve-page.ts';

/** Addresses of payers' pages: the response for an unknown one is always a page (contract §7). */
const PAYERS_ADDRESS = /^\/(?:l|checkout)\//;
/** Addresses of programs alone. */
const PROGRAMS_ADDRESS = /^\/(?:api|sink)\//;

/**
 * Makes the Lambda function for unknown addresses: it only responds with problems, and to people with pages, except at
 * the addresses of programs (contract §18).
 */
export function serveProblem(find: (event: APIGatewayProxyEvent) => Problem): LambdaHandler {
  const row = { id: 'service.UnknownRoute', permission: null } as const;
  const run = async ({ event }: Call): Promise<never> => {
    throw find(event);
  };
  return frame(row, run, (problem, call) => {
    const { path } = call.event;
    if (problem.code === 'route_not_found' && PAYERS_ADDRESS.test(path)) {
      return problemPage(problem, call);
    }
    return PROGRAMS_ADDRESS.test(path) ? undefined : missingPage(problem, call);
  });
}
