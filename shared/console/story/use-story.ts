/// <reference lib="dom" />
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReadRequest } from '../../story/read-request.ts';
import { readOf } from '../../story/read-request.ts';
import { concerns, type StoryReads, type StoryResource } from '../../story/story.ts';
import { planStory } from '../../story/story-reads.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { NOTHING, type ReadState } from '../call/reads.ts';
import { useNow } from '../call/use-now.ts';
import { useReads } from '../call/use-read.ts';

/** A resource, and the story of it as far as it is known. */
export interface Story {
  readonly state: ReadState<StoryResource>;
  /** Null until the resource is there. */
  readonly reads: StoryReads | null;
  /** Waits for another attempt to deliver an event. */
  readonly awaitAttempt: (eventId: string) => void;
}

/** The latest event that was seen; null if there was none yet. */
type SeenEvent = { readonly id: string; readonly sequence: number } | null;

/** The operations that retrieve what has a story. */
export type StoryGetId = 'payments.GetPayment' | 'payments.GetRefund' | 'checkout.GetPaymentLink';

const NEWEST_EVENT = readOf('events.ListEvents', { query: { limit: '1' } }, 'steady');
const CLOCK = readOf('testkit.GetClock');

/**
 * Everything that the service says of a resource. It follows what happens by one read of the events, and reads the
 * story again if one of them concerns it.
 * @param getId the operation that retrieves the resource
 */
export function useStory(getId: StoryGetId, id: string): Story {
  const { reads, operations } = useDashboard();
  const now = useNow();
  const [awaited, setAwaited] = useState<ReadonlyMap<string, number>>(new Map());
  // Undefined until the newest event is known. What is read after that misses nothing: later events are followed.
  const [seen, setSeen] = useState<SeenEvent | undefined>(undefined);
  const [newest = NOTHING] = useReads(seen === undefined ? [NEWEST_EVENT] : []);
  const isRefused = newest.response?.body === null;
  const isBegun = seen !== undefined || isRefused || newest.failure !== null;

  const pace = seen === undefined ? 'lively' : 'steady';
  const [state = NOTHING] = useReads(isBegun ? [readOf(getId, { params: { id } }, pace)] : []);
  const resource = state.response?.body ?? null;
  const plan = resource === null ? null : planStory(resource, reads.bodyOf, now, awaited);
  const isServed = ({ operationId }: ReadRequest) =>
    operations.some((operation) => operation.id === operationId);
  useReads(plan?.requests.filter(isServed) ?? []);

  // It begins with the event that was seen: another one, or none, in its place means that the world was purged.
  const after = { after_sequence: String((seen?.sequence ?? 1) - 1), limit: '100' };
  const [followed] = useReads(seen === undefined ? [] : [readOf('events.ListEvents', { query: after })]);
  // A move of the clock may have made deliveries, which are no events.
  const [clock] = useReads([CLOCK].filter(isServed));
  const offset = clock?.response?.body?.offset_seconds;
  const offsetBefore = useRef(offset);

  useEffect(() => {
    const listed = newest.response?.body;
    if (seen === undefined && listed) {
      setSeen(listed.data[0] ?? null);
    }
  }, [newest.response]);

  useEffect(() => {
    const listed = followed?.response?.body;
    if (seen === undefined || !listed) {
      return;
    }
    const [first, ...later] = listed.data;
    if (seen !== null && first?.id !== seen.id) {
      setSeen(null);
      reads.refresh(isOfStory);
      return;
    }
    const events = seen === null && first !== undefined ? [first, ...later] : later;
    setSeen(events.at(-1) ?? seen);
    if (plan !== null && events.some((event) => concerns(event, plan.reads))) {
      reads.refresh(isOfStory);
    }
  }, [followed?.response]);

  useEffect(() => {
    if (offsetBefore.current !== undefined && offset !== offsetBefore.current) {
      reads.refresh(isOfStory);
    }
    offsetBefore.current = offset;
  }, [offset]);

  function awaitAttempt(eventId: string): void {
    const attempts = plan?.reads.deliveries.filter(({ event_id: of }) => of === eventId) ?? [];
    setAwaited(new Map([...awaited, [eventId, attempts.length]]));
  }

  return { state, reads: plan?.reads ?? null, awaitAttempt };
}

/** Whether a read is of the resource that is shown, and of its story: everything else has no pace of its own. */
export function isOfStory({ pace }: ReadRequest): boolean {
  return pace !== undefined;
}
