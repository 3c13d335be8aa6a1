import * as v from 'valibot';
import { bangkokDay } from '../domain/balance.ts';
import { DAY_MS } from '../domain/clock.ts';
import type { FieldError } from '../errors/field-error.ts';
import { instantInQuery, readDay, readInstant } from './fields.ts';
import type { Operation } from './operation.ts';

const PAGE_LIMIT_MAX = 100;
const PAGE_LIMIT_DEFAULT = 20;
const INTEGER = /^-?\d{1,9}$/;

/** The query parameters of every list (contract §13). */
export const pageQuery = {
  limit: v.pipe(
    v.optional(v.string(), String(PAGE_LIMIT_DEFAULT)),
    // Includes the default, which is text for the parser and a number in the document.
    v.metadata({
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
      default: PAGE_LIMIT_DEFAULT,
    }),
    v.check((value) => INTEGER.test(value)),
    v.transform(Number),
    v.minValue(1),
    v.maxValue(PAGE_LIMIT_MAX),
  ),
  after: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(512))),
};

/** The query parameters of every list of resources (contract §18). `created_to` is exclusive. */
export const resourceQuery = {
  ...pageQuery,
  created_from: v.optional(instantInQuery),
  created_to: v.optional(instantInQuery),
};

/**
 * Refuses days and instants after tomorrow, where nothing can be: an empty page would read as "no sales".
 * @param fields parameters that are days in Asia/Bangkok or instants
 */
export function checkQueryDays(...fields: readonly string[]): NonNullable<Operation['checkQuery']> {
  return (query, nowMs) => {
    const tomorrow = bangkokDay(nowMs + DAY_MS);
    return fields.flatMap((field): FieldError[] => {
      const atMs = readInstant(query[field]);
      const day = atMs === null ? readDay(query[field]) : bangkokDay(atMs);
      return day !== null && day > tomorrow
        ? [{ code: 'max', field, message: `must not be after ${tomorrow}, tomorrow on the merchant's clock` }]
        : [];
    });
  };
}

/** The response of every list. */
export function pageOf<Element extends v.GenericSchema>(item: Element) {
  return v.object({ data: v.array(item), has_more: v.boolean(), next_cursor: v.nullable(v.string()) });
}

/** A page of a list (contract §13). */
export function viewPage<Entity, View>(
  page: { readonly data: readonly Entity[]; readonly nextCursor: string | null },
  view: (entity: Entity) => View,
): { data: View[]; has_more: boolean; next_cursor: string | null } {
  return { data: page.data.map(view), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
}
