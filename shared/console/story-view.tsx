/// <reference lib="dom" />
import { useEffect } from 'preact/hooks';

import { useDashboard } from './dashboard-context.ts';
import { durationOf, failureOf, responseOf } from './delivery-words.ts';
import type { AnyJson } from './gate.ts';
import { IdLink } from './linked-text.tsx';
import { toneOf } from './lists.ts';
import { ShownTime } from './shown-time.tsx';
import { type AheadEntry, ahead, gapText, past, possibleNow, type StoryEntry, secondsTo } from './story.ts';
import { type Actions, useActions } from './use-actions.tsx';
import { useNow } from './use-now.ts';
import { useStory } from './use-story.ts';
import { effectsOf } from './world-words.ts';

/** How long after its time something is surely done. */
const DONE_AFTER_MS = 1_500;

/** The story of a payment, a refund or a link: what can be done now, what has happened, and what lies ahead. */
export function StoryView({ resource }: { readonly resource: AnyJson }) {
  const { hasTestKit } = useDashboard();
  const actions = useActions();
  const reads = useStory(resource);
  const entries = past(reads);
  return (
    <section class="stack" aria-label="Story">
      <PossibleNow resource={resource} actions={actions} />
      {actions.report}
      <ol class="story">
        {entries.map((entry, place) => (
          <PastEntry
            key={`${entry.at} ${entry.title} ${place}`}
            entry={entry}
            gap={gapText(entries[place - 1]?.at ?? entry.at, entry.at)}
            actions={actions}
          />
        ))}
        {hasTestKit && <Ahead entries={(now) => ahead(reads, now)} actions={actions} />}
      </ol>
    </section>
  );
}

interface PossibleProps {
  readonly resource: AnyJson;
  readonly actions: Actions;
}

function PossibleNow({ resource, actions: { act } }: PossibleProps) {
  const { clock, operations } = useDashboard();
  const served = possibleNow(resource, clock.now()).filter(({ operationId }) =>
    operations.some(({ id }) => id === operationId),
  );
  return served.length === 0 ? null : (
    <p class="tools">
      {served.map(({ label, operationId, body, done }) => (
        <button
          key={label}
          type="button"
          onClick={() => void act(operationId, { params: { id: resource.id }, body }, done)}
        >
          {label}
        </button>
      ))}
    </p>
  );
}

interface EntryProps {
  readonly entry: StoryEntry;
  readonly gap: string | null;
  readonly actions: Actions;
}

function PastEntry({ entry, gap, actions }: EntryProps) {
  const { title, status, at, note, event, request, attempts } = entry;
  return (
    <li class={`happened t-dot-${toneOf(status ?? '')}`}>
      {gap !== null && <p class="gap">{gap}</p>}
      <p>
        <b>{title}</b> <ShownTime at={at} />
      </p>
      {note !== null && <p>{note}</p>}
      {request !== null && (
        <p class="hint">
          {request.method} <span class="mono">{request.path}</span> → {request.status} in{' '}
          {request.duration_ms} ms
        </p>
      )}
      {event !== null && (
        <p class="hint">
          {event.type} <IdLink id={event.id} />
        </p>
      )}
      {attempts.length > 0 && (
        <ul class="attempts">
          {attempts.map((attempt) => (
            <AttemptLine key={attempt.id} attempt={attempt} actions={actions} />
          ))}
        </ul>
      )}
    </li>
  );
}

function AttemptLine({
  attempt,
  actions: { act },
}: {
  readonly attempt: AnyJson;
  readonly actions: Actions;
}) {
  const { id, endpoint_id: endpointId, sink_id: sinkId, attempt: nth, status, attempted_at: at } = attempt;
  const operationId = endpointId === null ? 'testkit_Redeliver' : 'webhooks_RedeliverEvent';
  const params = { id: endpointId ?? sinkId, delivery_id: id };
  const facts = [`attempt ${nth}`, responseOf(attempt), durationOf(attempt)].filter(Boolean).join(' · ');
  return (
    <li>
      <span class={`dot d-${status}`} aria-hidden="true" />
      <span>
        {endpointId === null ? 'Sink' : 'Endpoint'} <IdLink id={endpointId ?? sinkId} />
        <span class="hint block">
          {facts} · <ShownTime at={at} />
        </span>
        {status !== 'delivered' && <span class="bad block">{failureOf(attempt)}</span>}
      </span>
      <button
        type="button"
        class="small"
        onClick={() => void act(operationId, { params, body: {} }, 'The event is sent again.')}
      >
        Redeliver
      </button>
    </li>
  );
}

interface AheadProps {
  readonly entries: (now: Date) => readonly AheadEntry[];
  readonly actions: Actions;
}

function Ahead({ entries, actions: { act } }: AheadProps) {
  const { reads } = useDashboard();
  const now = useNow();
  const shown = entries(now);
  const soonest = shown[0]?.at;
  // What was ahead has become due: an attempt to deliver leaves no event that would tell of it.
  useEffect(() => {
    const timer = setTimeout(() => reads.refresh(), DONE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [soonest]);
  return (
    <>
      {shown.map(({ at, title }) => (
        <li key={`${at} ${title}`} class="ahead">
          <p>
            <b>{title}</b> <ShownTime at={at} />
          </p>
          <button
            type="button"
            class="small"
            onClick={() =>
              void act('testkit_AdvanceClock', { body: { seconds: secondsTo(at, now) } }, (json: AnyJson) =>
                ['The clock was moved.', effectsOf(json)].filter(Boolean).join(' '),
              )
            }
          >
            Advance to here
          </button>
        </li>
      ))}
    </>
  );
}
