/// <reference lib="dom" />
import { useEffect, useState } from 'preact/hooks';
import type { WebhookEndpointView } from '../../contract/webhook-endpoint-view.ts';
import { type DayRate, dayRateText, planDayRate } from '../../story/day-rate.ts';
import { durationOf, failureOf, overlapText, responseOf } from '../../story/delivery-words.ts';
import { filterTexts } from '../../story/event-words.ts';
import type { BodyOf } from '../../story/operation-id.ts';
import { addressOf } from '../../story/route.ts';
import { type Actions, useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useNow } from '../call/use-now.ts';
import { useRead, useReads } from '../call/use-read.ts';
import { Menu } from '../show/menu.tsx';
import { absenceOf } from '../show/shown-problem.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { useEndpointTools } from './use-endpoint-tools.tsx';
import { webhookTexts } from './webhook-texts.ts';

const { view: viewTexts, endpoint: texts, tools: toolTexts } = webhookTexts;
const LOG_LIMIT = 20;

/** An endpoint: its state, how its deliveries went in the last 24 hours, and their log. */
export function EndpointView({ id }: { readonly id: string }) {
  const state = useRead('webhooks.ListWebhookEndpoints');
  // Nothing is read any more of an endpoint that is gone.
  const [isDeleted, setDeleted] = useState(false);
  const endpoint = state.response?.body?.data.find((one) => one.id === id);
  const absence = absenceOf(state);
  const isGone = isDeleted && endpoint === undefined;
  useEffect(() => {
    if (isGone) {
      location.hash = addressOf(['webhooks']);
    }
  }, [isGone]);
  return (
    <article class="view" aria-label={viewTexts.title}>
      <p class="hint">
        <a href={addressOf(['webhooks'])}>{viewTexts.title}</a>
      </p>
      {endpoint === undefined || isDeleted ? (
        <>
          <ViewHeading>{id}</ViewHeading>
          <p class="empty">{absence ?? (isDeleted ? toolTexts.deleted : texts.notFound)}</p>
        </>
      ) : (
        <EndpointPage endpoint={endpoint} onDeleted={() => setDeleted(true)} />
      )}
    </article>
  );
}

interface EndpointProps {
  readonly endpoint: WebhookEndpointView;
  readonly onDeleted: () => void;
}

function EndpointPage({ endpoint, onDeleted }: EndpointProps) {
  const actions = useActions();
  const { id, url, description, events, status, previous_secret_expires_at: overlapEnds } = endpoint;
  return (
    <>
      <header class="view-head">
        <div class="stack long-head">
          <ViewHeading>{url}</ViewHeading>
          <EndpointState endpoint={endpoint} />
        </div>
        <EndpointTools endpoint={endpoint} onDeleted={onDeleted} actions={actions} />
      </header>
      {actions.report}
      <div class="about-endpoint">
        {description !== null && <p>{description}</p>}
        <p class="hint">{texts.receives(filterTexts(events).join(' · '))}</p>
        {overlapEnds !== null && <p class="hint">{overlapText(overlapEnds)}</p>}
      </div>
      <RateOfDay id={id} />
      <section class="log" aria-label={texts.deliveries}>
        <h3>{texts.deliveries}</h3>
        <DeliveryLog
          receiverId={id}
          logId="webhooks.ListEndpointDeliveries"
          limit={LOG_LIMIT}
          redeliveryId={status === 'enabled' ? 'webhooks.RedeliverEvent' : null}
          act={actions.act}
        />
      </section>
    </>
  );
}

interface ToolsProps extends EndpointProps {
  readonly actions: Actions;
}

/** The one thing that is done most, and all others in a menu. */
function EndpointTools({ endpoint, onDeleted, actions }: ToolsProps) {
  const { id, url, status } = endpoint;
  const tools = useEndpointTools(endpoint, actions, onDeleted);
  const ping = () =>
    actions.act('webhooks.SendTestEvent', { params: { id }, body: {} }, (delivery) => (
      <PingResult delivery={delivery} />
    ));
  return (
    <div class="tools">
      {status === 'enabled' && (
        <button type="button" class="primary" onClick={() => void ping()}>
          {toolTexts.ping}
        </button>
      )}
      <Menu
        id="endpoint-menu"
        class="tools-menu"
        isOfChoices={true}
        button={
          <>
            {texts.more} <span class="unseen">{texts.moreOf(url)}</span>
          </>
        }
      >
        {tools.map(({ label, click, isDanger = false }) => (
          <button
            key={label}
            type="button"
            class={isDanger ? 'danger' : undefined}
            onClick={() => void click()}
          >
            {label}
          </button>
        ))}
      </Menu>
    </div>
  );
}

/** The result of a test event. */
function PingResult({ delivery }: { readonly delivery: BodyOf<'webhooks.SendTestEvent'> }) {
  const reason = failureOf(delivery);
  const text = [reason ?? toolTexts.pinged, responseOf(delivery), durationOf(delivery)];
  return <span class={reason === null ? undefined : 'bad'}>{text.filter(Boolean).join(' · ')}</span>;
}

function RateOfDay({ id }: { readonly id: string }) {
  const { reads } = useDashboard();
  const { requests, rate, isWhole } = planDayRate(id, useNow(), reads.bodyOf);
  useReads(requests);
  const text = dayRateText(rate);
  return text === null ? null : (
    <section class="rate" aria-label={texts.rate.title}>
      <RateBar rate={rate} />
      <p>
        <span class="word t-good">
          {rate.delivered} {texts.rate.delivered}
        </span>
        <span class="word t-bad">
          {rate.failed} {texts.rate.failed}
        </span>
        <span class="hint">
          {text} {!isWhole && texts.ofNewest}
        </span>
      </p>
    </section>
  );
}

/** The shares of what was accepted and what failed. The words beside it say the same. */
function RateBar({ rate: { delivered, failed } }: { readonly rate: DayRate }) {
  return (
    <svg viewBox={`0 0 ${delivered + failed} 1`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="accepted" x="0" y="0" width={delivered} height="1" />
      <rect class="failed" x={delivered} y="0" width={failed} height="1" />
    </svg>
  );
}
