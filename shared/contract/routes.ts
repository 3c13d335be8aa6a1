import type { Operation } from './operation.ts';

/** The function for requests that match no row: the name of its file in `functions/`. */
export const UNKNOWN_ROUTE_FUNCTION = 'answer-unknown-route';

type Route = Pick<Operation, 'method' | 'path'> & Partial<Pick<Operation, 'permission'>>;

const PARAMETER = /^\{(\w+)\}$/;

export interface RouteMatch<Row extends Route> {
  readonly row: Row;
  readonly params: Readonly<Record<string, string>>;
}

/** HEAD is served like GET without the body, if the operation needs no key (contract §3). */
export function methodsOf({ method, permission }: Route): string[] {
  return method === 'GET' && permission === null ? ['GET', 'HEAD'] : [method];
}

/** The row that API Gateway would choose: literal segments win over parameters, and none may be empty. */
export function matchRoute<Row extends Route>(
  rows: readonly Row[],
  method: string,
  path: string,
): RouteMatch<Row> | null {
  const given = path.split('/');
  const matches = rows.flatMap((row) => {
    const params = methodsOf(row).includes(method) ? matchPath(row.path, given) : null;
    return params === null ? [] : [{ row, params }];
  });
  return matches.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0] ?? null;
}

/** The methods that a path supports, for the `Allow` header. */
export function methodsAt(rows: readonly Route[], path: string): string[] {
  const given = path.split('/');
  const methods = rows.filter((row) => matchPath(row.path, given) !== null).flatMap(methodsOf);
  return [...new Set(methods)].toSorted();
}

function matchPath(pattern: string, given: readonly string[]): Record<string, string> | null {
  const expected = pattern.split('/');
  if (expected.length !== given.length) {
    return null;
  }
  const params: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const value = given[index] ?? '';
    const name = PARAMETER.exec(segment)?.[1];
    if (name === undefined ? value !== segment : value === '') {
      return null;
    }
    if (name !== undefined) {
      params[name] = value;
    }
  }
  return params;
}
