/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isOfTestKit } from '../../contract/test-kit.ts';
import { APPROVAL_AFTER_MS } from '../../domain/refund.ts';
import { isMoney } from '../../story/amounts.ts';
import { durationOf, failureOf, responseOf } from '../../story/delivery-words.ts';
import { toneOf } from '../../story/lists.ts';
import { needText } from '../../story/needs-somebody.ts';
import { addressOf } from '../../story/route.ts';
import {
  type AheadEntry,
  ahead,
  canRedeliver,
  type EventAttempt,
  gapText,
  past,
  possibleNow,
  RESULT_CODES,
  type StoryAction,
  type StoryEntry,
  type StoryReads,
  secondsTo,
} from '../../story/story.ts';
import { rowTime } from '../../story/times.ts';
import { effectsOf } from '../../story/world-words.ts';
import { askForInput } from '../act/form-dialog.tsx';
import { type Actions, useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useNow } from '../call/use-now.ts';
import { IdLink } from '../show/linked-text.tsx';
import { ShownTime } from '../show/shown-time.tsx';
import { storyViewTexts } from './story-view-texts.ts';
import { isOfStory } from './use-story.ts';

const texts = storyViewTexts.story;

/** How long after its time something is surely done. */
const DONE_AFTER_MS = 1_500;

interface StoryProps {
  readonly reads: StoryReads;
  /** Waits for another attempt to deliver an event. */
  readonly awaitAttempt: (eventId: string) => void;
  /** What is shown beside the time line. */
  readonly children: ComponentChildren;
}

/** The story of a payment, a refund or a link: what can be done now, what has happened, and what lies ahead. */
export function StoryView({ reads, awaitAttempt, children }: StoryProps) {
  const { hasTestKit } = useDashboard();
  const actions = useActions();
  const entries = past(reads);
  const need = 'late' in reads.resource ? needText(reads.resource) : null;
  return (
    <div class="story-page stack">
      {need !== null && <p class="note">{need}</p>}
      <PossibleNow reads={reads} actions={actions} />
      {actions.report}
      <div class="story-columns">
        <section class="stack" aria-label={texts.title}>
          <h3>{texts.title}</h3>
          <ol class="story">
            {entries.map((entry, index) => (
              <PastEntry
                key={`${entry.at} ${entry.title} ${index}`}
                entry={entry}
                gap={gapText(entries[index - 1]?.at ?? entry.at, entry.at)}
                reads={reads}
                onRedeliver={({ endpoint_id: endpointId, sink_id: sinkId, id, event_id: eventId }) => {
                  const params = { id: endpointId ?? sinkId ?? '', delivery_id: id };
                  awaitAttempt(eventId);
                  void actions.act(
                    endpointId === null ? 'testkit.Redeliver' : 'webhooks.RedeliverEvent',
                    { params, body: {} },
                    storyViewTexts.attempt.redelivered,
                  );
                }}
              />
            ))}
            {hasTestKit && <Ahead entries={(now) => ahead(reads, now)} actions={actions} />}
          </ol>
        </section>
        <div class="stack">{children}</div>
      </div>
    </div>
  );
}

interface PossibleProps {
  readonly reads: StoryReads;
  readonly actions: Actions;
}

/** What the merchant can do now and, in test mode, what the provider can report. */
function PossibleNow({ reads: { resource, refunds }, actions: { act, say } }: PossibleProps) {
  const dashboard = useDashboard();
  const { id } = resource;
  const served = possibleNow(resource, refunds, dashboard.clock.now()).filter(
    ({ operationId }) => dashboard.hasTestKit || !isOfTestKit(operationId),
  );
  const ask = async ({ label, operationId, body, done, asks = [] }: StoryAction) => {
    const question = {
      label,
      title: label,
      ...(operationId === 'payments.RequestRefund' && {
        about: texts.refundUntil(approvalTime(dashboard.clock.now())),
        ...wholeOf(body),
      }),
      params: { id },
      values: body,
      fields: asks,
      offered: { result_code: RESULT_CODES },
    };
    if ((await askForInput(dashboard, operationId, question)) !== null) {
      say(done);
      dashboard.reads.refresh();
    }
  };
  const groups = Map.groupBy(served, ({ operationId }): keyof typeof texts.actors =>
    isOfTestKit(operationId) ? 'provider' : 'merchant',
  );
  return served.length === 0 ? null : (
    <div class="possible">
      {[...groups].toSorted().map(([actor, group]) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div key={actor} class="tools" role="group" aria-label={texts.actors[actor]}>
          <span class="hint">{texts.actors[actor]}</span>
          {group.map((action) => (
            <button
              key={action.label}
              type="button"
              onClick={() =>
                void (action.asks === undefined
                  ? act(action.operationId, { params: { id }, body: action.body }, action.done)
                  : ask(action))
              }
            >
              {action.asks === undefined ? action.label : texts.asks(action.label)}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

interface EntryProps {
  readonly entry: StoryEntry;
  readonly gap: string | null;
  readonly reads: StoryReads;
  readonly onRedeliver: (attempt: EventAttempt) => void;
}

function PastEntry({ entry, gap, reads, onRedeliver }: EntryProps) {
  const { title, status, at, id, note, event, request, attempts } = entry;
  return (
    <li class={`happened t-dot-${toneOf(status ?? '')}`}>
      {gap !== null && <p class="gap">{gap}</p>}
      <p class="what">
        <b>{title}</b> <ShownTime at={at} />
      </p>
      {note !== null && <p>{note}</p>}
      {id !== reads.resource.id && (
        <p class="hint">
          <IdLink id={id} />
        </p>
      )}
      {request !== null && (
        <p class="hint">
          <a href={addressOf(['requests', request.id])}>
            {request.method} <span class="mono">{request.path}</span>
          </a>{' '}
          {texts.outcome(request.status, request.duration_ms)}
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
            <AttemptLine
              key={attempt.id}
              attempt={attempt}
              endpoints={reads.endpoints}
              onRedeliver={() => onRedeliver(attempt)}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

interface AttemptProps {
  readonly attempt: EventAttempt;
  readonly endpoints: StoryReads['endpoints'];
  readonly onRedeliver: () => void;
}

function AttemptLine({ attempt, endpoints, onRedeliver }: AttemptProps) {
  const words = storyViewTexts.attempt;
  const { endpoint_id: endpointId, sink_id: sinkId, attempt: nth, status, attempted_at: at } = attempt;
  const facts = [words.nth(nth), responseOf(attempt), durationOf(attempt)].filter(Boolean).join(' · ');
  const endpoint = endpoints?.find(({ id }) => id === endpointId);
  return (
    <li>
      <span class={`dot d-${status}`} aria-hidden="true" />
      <span>
        {endpointId === null ? words.sink : words.endpoint}{' '}
        {endpoint === undefined ? (
          <IdLink id={endpointId ?? sinkId ?? ''} />
        ) : (
          <a href={addressOf(['webhooks', endpoint.id])}>{endpoint.url}</a>
        )}
        <span class="hint block">
          {facts} · <ShownTime at={at} />
        </span>
        {status !== 'delivered' && <span class="bad block">{failureOf(attempt)}</span>}
      </span>
      {canRedeliver(attempt, endpoints) && (
        <button type="button" class="small" onClick={onRedeliver}>
          {words.redeliver}
        </button>
      )}
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
  const awaited = useRef(soonest);
  // What was ahead has become due: an attempt to deliver leaves no event that would tell of it.
  useEffect(() => {
    const isDue = awaited.current !== undefined && Date.parse(awaited.current) <= now.getTime();
    awaited.current = soonest;
    const timer = isDue ? setTimeout(() => reads.refresh(isOfStory), DONE_AFTER_MS) : undefined;
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
              void act('testkit.AdvanceClock', { body: { seconds: secondsTo(at, now) } }, (body) =>
                [texts.clockMoved, effectsOf(body)].filter(Boolean).join(' '),
              )
            }
          >
            {texts.advance}
          </button>
        </li>
      ))}
    </>
  );
}

/** All that can be refunded. */
function wholeOf(body: object) {
  const { amount }: { readonly amount?: unknown } = body;
  return isMoney(amount) && { whole: amount };
}

/** Until when a refund that is requested now can be canceled. */
function approvalTime(now: Date): string {
  return rowTime(new Date(now.getTime() + APPROVAL_AFTER_MS), now);
}
