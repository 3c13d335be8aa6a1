/// <reference lib="dom" />
import type { EventView as EventBody } from '../../contract/events.ts';
import {
  type EventDeliveries,
  type EventReceiver,
  planEventDeliveries,
} from '../../story/event-deliveries.ts';
import { LISTS } from '../../story/lists.ts';
import { addressOf } from '../../story/route.ts';
import { canRedeliver, type EventAttempt } from '../../story/story.ts';
import { rowTime } from '../../story/times.ts';
import { type Actions, useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useNow } from '../call/use-now.ts';
import { useRead, useReads } from '../call/use-read.ts';
import { currentRoute, useRoute } from '../call/use-route.ts';
import { showTexts } from '../show/show-texts.ts';
import { ProblemView } from '../show/shown-problem.tsx';
import { ShownTime } from '../show/shown-time.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { AttemptPanes } from '../webhooks/attempt-panes.tsx';
import { eventTexts as texts } from './event-texts.ts';
import { ResourceTabs } from './resource-tabs.tsx';
import { Facts } from './resource-view.tsx';

const { title, segment, getId } = LISTS.event;

/** An event: its deliveries by receiver, with the request and the response of one attempt, and its body beside them. */
export function EventView({ id }: { readonly id: string }) {
  const { response, failure } = useRead(getId, { params: { id } });
  const deliveries = useEventDeliveries(id);
  const actions = useActions();
  const event = response?.body ?? null;
  return (
    <article class="view" aria-label={title}>
      <p class="hint">
        <a href={addressOf([segment])}>{title}</a>
      </p>
      <header class="view-head">
        <div class="stack long-head">
          <ViewHeading>{event?.type ?? id}</ViewHeading>
          {event !== null && (
            <p class="hint">
              <ShownTime at={event.timestamp} />
            </p>
          )}
        </div>
        <SendToAll deliveries={deliveries} actions={actions} />
      </header>
      {actions.report}
      {failure !== null && <p class="problem">{failure}</p>}
      {response === null && failure === null && <p class="hint">{showTexts.reading}</p>}
      {response?.problem && <ProblemView problem={response.problem} />}
      {event !== null && (
        <div class="story-page">
          <div class="story-columns">
            <Receivers deliveries={deliveries} actions={actions} />
            <EventFacts event={event} />
          </div>
        </div>
      )}
    </article>
  );
}

function useEventDeliveries(id: string): EventDeliveries {
  const { reads, operations } = useDashboard();
  const { delivery } = useRoute().query;
  const plan = planEventDeliveries(id, delivery, reads.bodyOf);
  // Without the test kit, there are no sinks to read.
  useReads(plan.requests.filter(({ operationId }) => operations.some((one) => one.id === operationId)));
  return plan;
}

/** The body as it is sent, and what of it is looked for most: the resource and the request that caused the event. */
function EventFacts({ event }: { readonly event: EventBody }) {
  const { data, request, ...fields } = event;
  return (
    <section class="stack" aria-label={texts.body}>
      <h3>{texts.body}</h3>
      <Facts json={{ ...fields, resource: data.object.id, request: request.id }} />
      <ResourceTabs json={event} getId={getId} />
    </section>
  );
}

interface PartProps {
  readonly deliveries: EventDeliveries;
  readonly actions: Actions;
}

function SendToAll({ deliveries: { receivers, endpoints }, actions }: PartProps) {
  const sendable = (receivers ?? []).filter(({ last }) => canRedeliver(last, endpoints));
  const sendAll = async () => {
    let sent = 0;
    for (const { last } of sendable) {
      await send(actions, last, () => {
        sent += 1;
        return texts.sentToAll(sent, sendable.length);
      });
    }
  };
  return sendable.length < 2 ? null : (
    <button type="button" onClick={() => void sendAll()}>
      {texts.sendToAll}
    </button>
  );
}

/** Sends the event of an attempt to its receiver again, outside of the schedule. */
function send({ act }: Actions, attempt: EventAttempt, done: () => string): Promise<void> {
  const { id, endpoint_id: endpointId, sink_id: sinkId } = attempt;
  const params = { id: endpointId ?? sinkId ?? '', delivery_id: id };
  const operationId = endpointId === null ? 'testkit.Redeliver' : 'webhooks.RedeliverEvent';
  // What comes of it is shown, and not an earlier choice.
  show('');
  return act(operationId, { params, body: {} }, done);
}

function Receivers({ deliveries, actions }: PartProps) {
  const { receivers } = deliveries;
  return (
    <section class="stack" aria-label={texts.deliveries}>
      <h3>{texts.deliveries}</h3>
      {receivers === null && <p class="hint">{showTexts.reading}</p>}
      {receivers?.length === 0 && <p class="empty">{texts.none}</p>}
      {receivers?.map((receiver) => (
        <ReceiverGroup key={receiver.id} receiver={receiver} deliveries={deliveries} actions={actions} />
      ))}
    </section>
  );
}

interface ReceiverGroupProps extends PartProps {
  readonly receiver: EventReceiver;
}

function ReceiverGroup({ receiver, deliveries, actions }: ReceiverGroupProps) {
  const { kind, attempts, last } = receiver;
  const { shown, verdict, endpoints } = deliveries;
  const name = nameOf(receiver, deliveries);
  const isShown = attempts.some(({ id }) => id === shown?.id);
  return (
    <section class="got" aria-label={name}>
      <div class="part-head">
        <h4
          class={`word t-${last.status === 'delivered' ? 'good' : last.next_attempt_at === null ? 'bad' : 'open'}`}
        >
          <a href={addressOfReceiver(receiver)}>{name}</a>
        </h4>
        {canRedeliver(last, endpoints) && (
          <button type="button" class="small" onClick={() => void send(actions, last, () => texts.sent)}>
            {texts.sendAgain}
          </button>
        )}
      </div>
      <AttemptButtons receiver={receiver} name={name} shownId={shown?.id} />
      {isShown && shown !== null && <AttemptPanes attempt={shown} kind={kind} verdict={verdict} />}
    </section>
  );
}

interface AttemptButtonsProps {
  readonly receiver: EventReceiver;
  readonly name: string;
  readonly shownId: string | undefined;
}

/** Chooses an attempt. The address names it, so that a link leads to it. */
function AttemptButtons({ receiver: { attempts }, name, shownId }: AttemptButtonsProps) {
  const now = useNow();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div class="tools" role="group" aria-label={texts.attemptsTo(name)}>
      {attempts.map((attempt, index) => (
        <button
          key={attempt.id}
          type="button"
          class="small"
          aria-pressed={attempt.id === shownId}
          onClick={() => show(attempt.id)}
        >
          <span class={`dot d-${attempt.status}`} /> {ordinalOf(attempt, attempts.slice(0, index))} ·{' '}
          {attempt.answered_status ?? texts.noAnswer} · {rowTime(new Date(attempt.attempted_at), now)}
        </button>
      ))}
    </div>
  );
}

/** What was sent by hand has the number of the attempt that it repeats. */
function ordinalOf({ attempt }: EventAttempt, earlier: readonly EventAttempt[]): string {
  return earlier.some((one) => one.attempt === attempt) ? texts.repeated : texts.attempt(attempt);
}

function show(delivery: string): void {
  const { path, query } = currentRoute();
  location.hash = addressOf(path, { ...query, delivery });
}

/** An endpoint by its URL, a sink by its name; what is gone by its id. */
function nameOf({ id, kind }: EventReceiver, { endpoints, sinks }: EventDeliveries): string {
  return kind === 'endpoint'
    ? (endpoints?.find((one) => one.id === id)?.url ?? `${texts.endpoint} ${id}`)
    : texts.sink(sinks.find((one) => one.id === id)?.name ?? id);
}

/** The page of an endpoint; the drawer with a sink, beside this event. */
function addressOfReceiver({ id, kind }: EventReceiver): string {
  const { path, query } = currentRoute();
  return kind === 'endpoint' ? addressOf(['webhooks', id]) : addressOf(path, { ...query, world: id });
}
