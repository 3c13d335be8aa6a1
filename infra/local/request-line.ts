import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Operation } from '../../shared/contract/operation.ts';
import type { RouteMatch } from '../../shared/contract/routes.ts';

const PROBLEM_TYPE = 'application/problem+json';
/** Secrets in paths, of which only the beginning is shown. The `code` of an error is no secret. */
const SECRET_PARAMS = /\{(token|code)\}/;
const SHOWN_CHARS = 6;
const PATH_MAX_CHARS = 100;

/** A request with its response. */
export interface HandledRequest {
  readonly at: Date;
  readonly method: string;
  readonly url: URL;
  readonly match: RouteMatch<Operation> | null;
  readonly result: APIGatewayProxyResult;
  readonly durationMs: number;
}

/**
 * A request in a line: time on this machine, method, path, status, the code of a problem, how long it took, and its id.
 * No query and no body, which may hold data of payers.
 */
export function requestLine({ at, method, url, match, result, durationMs }: HandledRequest): string {
  const { statusCode, headers = {} } = result;
  return [
    at.toTimeString().slice(0, 'hh:mm:ss'.length),
    method.padEnd('DELETE'.length),
    shownPath(url, match),
    statusCode,
    ...(headers['Content-Type'] === PROBLEM_TYPE ? [JSON.parse(result.body).code] : []),
    `${Math.round(durationMs)} ms`,
    ...(headers['X-Request-Id'] === undefined ? [] : [headers['X-Request-Id']]),
  ].join('  ');
}

function shownPath({ pathname }: URL, match: RouteMatch<Operation> | null): string {
  const template = match?.row.path.split('/') ?? [];
  const isSecret = (index: number) => SECRET_PARAMS.test(template[index] ?? '') && template[1] !== 'errors';
  const path = pathname
    .split('/')
    .map((step, index) =>
      isSecret(index) && step.length > SHOWN_CHARS ? `${step.slice(0, SHOWN_CHARS)}…` : step,
    )
    .join('/');
  return path.length > PATH_MAX_CHARS ? `${path.slice(0, PATH_MAX_CHARS)}…` : path;
}
