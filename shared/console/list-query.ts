import type { ConsoleOperation, Parameter } from './read-operations.ts';

/** What pages a list, and is no filter of it. */
const PAGING: readonly string[] = ['limit', 'after', 'after_sequence'];
const PAGE_LIMIT = '20';

/** The filters that a list takes, as its operation describes them: those with choices first, times last. */
export function filtersOf({ parameters }: ConsoleOperation): Parameter[] {
  const rank = ({ name, schema }: Parameter) =>
    name.startsWith('created_') ? 2 : schema.enum === undefined ? 1 : 0;
  return parameters
    .filter((parameter) => parameter.in === 'query' && !PAGING.includes(parameter.name))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** The query of a request for a page of a list: the filters and the page that the address names. */
export function listQueryOf(
  operation: ConsoleOperation,
  query: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = [...filtersOf(operation).map(({ name }) => name), 'after'];
  const held = Object.entries(query).filter(([name]) => known.includes(name));
  return { limit: PAGE_LIMIT, ...Object.fromEntries(held) };
}

/** The filters that an address sets: all that it names but the page. */
export function setFilters(
  operation: ConsoleOperation,
  query: Readonly<Record<string, string>>,
): (readonly [name: string, value: string])[] {
  return filtersOf(operation).flatMap(({ name }) => {
    const value = query[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}
