import { bangkokDay } from '../../domain/balance.ts';
import { DAY_MS } from '../../domain/clock.ts';
import type { ConsoleOperation, Parameter } from '../../story/read-operations.ts';

/** What pages a list, and is no filter of it. */
const PAGING: readonly string[] = ['limit', 'after', 'after_sequence'];
const PAGE_LIMIT = '20';
const SOUGHT_LIMIT = '100';
/** A day in Bangkok: a filter of the dashboard, which the list takes as two times. */
const DAY: Parameter = {
  name: 'day',
  in: 'query',
  required: false,
  schema: { type: 'string', format: 'date' },
};
/** A filter of the dashboard for lists that take none: it is found among the newest. */
const NUMBER = 'number';

/** The filters of a list, as its operation describes them: those with choices first, times last. */
export function filtersOf({ parameters }: ConsoleOperation): Parameter[] {
  const rank = ({ name, schema }: Parameter) =>
    name.startsWith('created_') ? 2 : schema.enum === undefined ? 1 : 0;
  const own = parameters.filter((parameter) => parameter.in === 'query' && !PAGING.includes(parameter.name));
  const hasTimes = own.some(({ name }) => name === 'created_from');
  return [...(hasTimes ? [DAY] : []), ...own].toSorted((a, b) => rank(a) - rank(b));
}

/** The query of a request for a page of a list: the filters and the page that the address names. */
export function listQueryOf(
  operation: ConsoleOperation,
  query: Readonly<Record<string, string>>,
  limit = PAGE_LIMIT,
): Record<string, string> {
  const known = [...filtersOf(operation).map(({ name }) => name), 'after'];
  const { day, ...held } = Object.fromEntries(Object.entries(query).filter(([name]) => known.includes(name)));
  return {
    limit: soughtNumber(operation, query) === null ? limit : SOUGHT_LIMIT,
    ...held,
    ...(day !== undefined && timesOf(day)),
  };
}

/** The number to find among the newest of a list that has no filter for it; null if none is sought. */
export function soughtNumber(
  operation: ConsoleOperation,
  { number }: Readonly<Record<string, string>>,
): string | null {
  const isFilter = operation.parameters.some(({ name }) => name === NUMBER);
  return number === undefined || isFilter ? null : number.toUpperCase();
}

/** The filters that an address sets: all that it names but the page. */
export function setFilters(
  operation: ConsoleOperation,
  query: Readonly<Record<string, string>>,
): (readonly [name: string, value: string])[] {
  const sought = soughtNumber(operation, query);
  const named = filtersOf(operation).flatMap(({ name }) => {
    const value = query[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return sought === null ? named : [...named, [NUMBER, sought]];
}

type TimePreset = 'today' | 'yesterday' | 'week' | 'month';

/** The filters of the times that are asked for most, on the merchant's clock. */
export function timePresets(now: Date): (readonly [TimePreset, Readonly<Record<string, string>>])[] {
  const dayAgo = (days: number) => bangkokDay(now.getTime() - days * DAY_MS);
  const since = (day: string) => ({ created_from: `${day}T00:00:00+07:00` });
  return [
    ['today', { day: dayAgo(0) }],
    ['yesterday', { day: dayAgo(1) }],
    ['week', since(dayAgo(6))],
    ['month', since(`${dayAgo(0).slice(0, 7)}-01`)],
  ];
}

/** From the beginning of a day in Bangkok to that of the next. The service refuses what is no day. */
function timesOf(day: string): Record<string, string> {
  const beginning = Date.parse(`${day}T00:00:00Z`);
  const next = Number.isNaN(beginning) ? day : new Date(beginning + DAY_MS).toISOString().slice(0, 10);
  return { created_from: `${day}T00:00:00+07:00`, created_to: `${next}T00:00:00+07:00` };
}
