import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import type { BodyOf, CallInputOf, OperationId } from '../../story/operation-id.ts';
import type { ReadRequest } from '../../story/read-request.ts';
import { readOf } from '../../story/read-request.ts';
import { useDashboard } from './dashboard-context.ts';
import type { ReadState } from './reads.ts';

/**
 * What the service responds to a read, kept up to date while the part of the page is shown.
 * Parts that read the same share the response.
 */
export function useRead<Id extends OperationId>(
  operationId: Id,
  input?: CallInputOf<Id>,
): ReadState<BodyOf<Id>> {
  const [state] = useReads([readOf(operationId, input)]);
  return state;
}

/** The states of reads, each at the index of its read. */
type StatesOf<Requests extends readonly ReadRequest[]> = {
  readonly [Index in keyof Requests]: ReadState<BodyOf<Requests[Index]['operationId']>>;
};

/** The states of any number of reads, which may change: one that stays is not repeated. */
export function useReads<const Requests extends readonly ReadRequest[]>(
  requests: Requests,
): StatesOf<Requests> {
  const { reads } = useDashboard();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const ends = useRef(new Map<string, () => void>());
  useLayoutEffect(() => {
    const earlier = new Map(ends.current);
    ends.current.clear();
    for (const request of requests) {
      const name = JSON.stringify(request);
      const end = ends.current.get(name) ?? earlier.get(name);
      ends.current.set(name, end ?? reads.subscribe(request, () => redraw(undefined)));
      earlier.delete(name);
    }
    // At last, so that a read whose pace has changed goes on.
    for (const end of earlier.values()) {
      end();
    }
  }, [JSON.stringify(requests)]);
  useLayoutEffect(() => () => endAll(ends.current), []);
  return requests.map((request) => reads.peek(request)) as StatesOf<Requests>;
}

function endAll(ends: ReadonlyMap<string, () => void>): void {
  for (const end of ends.values()) {
    end();
  }
}
