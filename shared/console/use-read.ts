import { useLayoutEffect, useReducer } from 'preact/hooks';
import type { CallInput } from './calls.ts';
import { useDashboard } from './dashboard-context.ts';
import type { ReadRequest, ReadState } from './reads.ts';

/**
 * What the service responds to a read, kept up to date while the part of the page is shown.
 * Parts that read the same share the response.
 */
export function useRead(operationId: string, input: CallInput = {}): ReadState {
  const [state] = useReads([{ operationId, ...input }]);
  return state as ReadState;
}

/** The same for any number of reads, which may change. */
export function useReads(requests: readonly ReadRequest[]): readonly ReadState[] {
  const { reads } = useDashboard();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    const ends = requests.map((request) => reads.subscribe(request, () => redraw(undefined)));
    return () => {
      for (const end of ends) {
        end();
      }
    };
  }, [JSON.stringify(requests)]);
  return requests.map((request) => reads.peek(request));
}
