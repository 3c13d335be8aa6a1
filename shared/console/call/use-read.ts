import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import type { CallInput, ReadRequest } from '../../story/read-request.ts';
import { useDashboard } from './dashboard-context.ts';
import type { ReadState } from './reads.ts';

/**
 * What the service responds to a read, kept up to date while the part of the page is shown.
 * Parts that read the same share the response.
 */
export function useRead(operationId: string, input: CallInput = {}): ReadState {
  const [state] = useReads([{ operationId, ...input }]);
  return state as ReadState;
}

/** The same for any number of reads, which may change: one that stays is not requested again. */
export function useReads(requests: readonly ReadRequest[]): readonly ReadState[] {
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
  return requests.map((request) => reads.peek(request));
}

function endAll(ends: ReadonlyMap<string, () => void>): void {
  for (const end of ends.values()) {
    end();
  }
}
