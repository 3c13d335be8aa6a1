import { describe, expect, it } from 'vitest';
import { allOperations } from '../../shared/contract/operations.ts';
import { matchRoute, methodsAt } from '../../shared/contract/routes.ts';

const rows = [
  { method: 'GET', path: '/things/{id}' },
  { method: 'GET', path: '/things/newest' },
  { method: 'POST', path: '/things' },
  { method: 'GET', path: '/things' },
  { method: 'POST', path: '/things/{id}/parts/{part_id}/mend' },
  { method: 'GET', path: '/pages/{id}', permission: null },
  { method: 'POST', path: '/pages/{id}', permission: null },
] as const;

describe('routing', () => {
  it('finds the row of a method and a path, with the parameters of the path', () => {
    expect(matchRoute(rows, 'POST', '/things/7/parts/8/mend')).toEqual({
      row: rows[4],
      params: { id: '7', part_id: '8' },
    });
  });

  it.each([rows, rows.toReversed()])(
    'prefers a literal segment to a parameter, in any order of rows (%#)',
    (...order) => {
      expect(matchRoute(order, 'GET', '/things/newest')).toEqual({ row: rows[1], params: {} });
      expect(matchRoute(order, 'GET', '/things/other')).toEqual({ row: rows[0], params: { id: 'other' } });
    },
  );

  it.each([
    ['an empty parameter', 'GET', '/things/'],
    ['an empty segment', 'POST', '/things//parts/8/mend'],
    ['a slash at the end', 'GET', '/things/7/'],
    ['a doubled slash', 'GET', '//things'],
    ['a longer path', 'GET', '/things/7/parts'],
    ['a shorter path', 'GET', '/'],
    ['another spelling', 'GET', '/Things'],
    ['another method', 'PATCH', '/things'],
    ['a method in lower case', 'get', '/things'],
    ['HEAD of a path that requires a key', 'HEAD', '/things/7'],
    ['nothing', 'GET', ''],
  ])('finds nothing for %s', (_name, method, path) => {
    expect(matchRoute(rows, method, path)).toBeNull();
  });

  it('finds for HEAD the public operation of GET', () => {
    expect(matchRoute(rows, 'HEAD', '/pages/7')).toEqual({ row: rows[5], params: { id: '7' } });
  });

  it('keeps a parameter as it was sent', () => {
    expect(matchRoute(rows, 'GET', '/things/a%2Fb')?.params).toEqual({ id: 'a%2Fb' });
  });

  it.each([
    ['/things', ['GET', 'POST']],
    ['/things/newest', ['GET']],
    ['/pages/7', ['GET', 'HEAD', 'POST']],
    ['/things/7/parts/8/mend', ['POST']],
    ['/nothing', []],
    ['/things/', []],
  ] as const)('names the methods of %s: %j', (path, methods) => {
    expect(methodsAt(rows, path)).toEqual(methods);
  });
});

describe.each(allOperations)('$method $path', (row) => {
  it('leads to its own row', () => {
    const path = row.path.replaceAll(/\{\w+\}/g, 'x1');
    expect(matchRoute(allOperations, row.method, path)?.row).toBe(row);
    expect(methodsAt(allOperations, path)).toContain(row.method);
  });
});
