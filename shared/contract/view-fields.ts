import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import type { Money } from '../domain/money.ts';
import type { StatusHistory } from '../domain/status-history.ts';
import { component, timestamp } from './fields.ts';

/** Sets the order of the fields, because a stored map can come back in any order. */
export function viewMoney({ currency, minor }: Money): Money {
  return { currency, minor };
}

export function optionalTimestamp(epochMs: number | null): string | null {
  return epochMs === null ? null : toTimestamp(epochMs);
}

/** The statuses of a resource, oldest first. @param name of an entry, in the document */
export function historyResponse<const Status extends v.GenericSchema>(name: string, status: Status) {
  return v.array(component(name, v.object({ status, at: timestamp })));
}

export function viewHistory<Status extends string>({ statusHistory }: StatusHistory<Status>) {
  return statusHistory.map(({ status, atMs }) => ({ status, at: toTimestamp(atMs) }));
}
