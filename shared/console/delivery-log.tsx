/// <reference lib="dom" />

import { HeaderTable } from './answer-view.tsx';
import { useDashboard } from './dashboard-context.ts';
import { durationOf, eventTypeOf, failureOf, rateText, responseOf } from './delivery-words.ts';
import type { AnyJson } from './gate.ts';
import { IdLink } from './linked-text.tsx';
import { addressOf, type PlaceRoute } from './route.ts';
import { refusalOf } from './shown-problem.tsx';
import { ShownText } from './shown-text.tsx';
import { ShownTime } from './shown-time.tsx';
import type { RunAction } from './use-actions.tsx';
import { useRead } from './use-read.ts';
import { goTo, useRoute } from './use-route.ts';

interface LogProps {
  readonly receiverId: string;
  /** The operation that lists the attempts. */
  readonly logId: string;
  readonly limit: number;
  readonly act: RunAction;
  /** The operation that sends the event of an attempt again; null if there is none. */
  readonly redeliveryId: string | null;
}

/** The latest attempts to deliver events to a receiver. */
export function DeliveryLog({ receiverId, logId, limit, act, redeliveryId }: LogProps) {
  const route = useRoute();
  const { answer } = useRead(logId, { params: { id: receiverId }, query: { limit: String(limit) } });
  if (answer === null) {
    return <p class="hint">Reading …</p>;
  }
  const refusal = refusalOf(answer);
  if (refusal !== null) {
    return <p class="hint">{refusal}</p>;
  }
  const { data, has_more: hasMore } = answer.json;
  const types = [...new Set<string>(data.map(eventTypeOf))].toSorted();
  const { failed, type } = route.query;
  const shown = data.filter(
    (delivery: AnyJson) =>
      (failed === undefined || delivery.status !== 'delivered') &&
      (type === undefined || eventTypeOf(delivery) === type),
  );
  const filter = (query: PlaceRoute['query']) => goTo(route.path, { ...route.query, ...query });
  return (
    <>
      {data.length === 0 && <p class="hint">No deliveries yet.</p>}
      {data.length > 0 && (
        <div class="filters">
          <span>{rateText(data)}</span>
          <label class="keep">
            <input
              type="checkbox"
              checked={failed !== undefined}
              onChange={({ currentTarget }) => filter({ failed: currentTarget.checked ? 'true' : '' })}
            />
            Failed only
          </label>
          <select
            aria-label="Event type"
            value={type ?? ''}
            onChange={({ currentTarget }) => filter({ type: currentTarget.value })}
          >
            <option value="">all types</option>
            {types.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </div>
      )}
      {data.length > 0 && shown.length === 0 && <p class="hint">None of these attempts.</p>}
      <ol class="deliveries">
        {shown.map((delivery: AnyJson) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            onRedeliver={
              redeliveryId === null || eventTypeOf(delivery) === 'webhook.ping'
                ? null
                : () => {
                    const params = { id: receiverId, delivery_id: delivery.id };
                    void act(redeliveryId, { params, body: {} }, 'The event was delivered again.');
                  }
            }
          />
        ))}
      </ol>
      {hasMore && (
        <div class="tools">
          <a class="button small" href={addressOf(['api', logId], { id: receiverId })}>
            Older ones
          </a>
        </div>
      )}
    </>
  );
}

interface RowProps {
  readonly delivery: AnyJson;
  readonly onRedeliver: (() => void) | null;
}

function DeliveryRow({ delivery, onRedeliver }: RowProps) {
  const { openDialog } = useDashboard();
  const { attempt, status, signature_verdict: verdict, attempted_at: at, next_attempt_at: next } = delivery;
  const reason = failureOf(delivery);
  const facts = [responseOf(delivery), verdict !== undefined && `signature ${verdict}`, durationOf(delivery)];
  const look = () =>
    openDialog({
      title: `${eventTypeOf(delivery)}, attempt ${attempt}`,
      isWide: true,
      content: (close) => <DeliveryDetails delivery={delivery} onClose={close} />,
    });
  return (
    <li>
      <span class={`dot d-${status}`} aria-hidden="true" />
      <b>
        <button type="button" class="link" onClick={() => void look()}>
          {eventTypeOf(delivery)}
        </button>
      </b>
      <div class="facts">
        Attempt {attempt}: {status}
        {reason !== null && <span class="bad block">{reason}</span>}
        <span class="hint block">
          {facts.filter(Boolean).join(' · ')} · <ShownTime at={at} />
          {next !== null && (
            <>
              {' · again at '}
              <ShownTime at={next} />
            </>
          )}
        </span>
      </div>
      {onRedeliver !== null && (
        <button type="button" class="small" onClick={onRedeliver}>
          Redeliver
        </button>
      )}
    </li>
  );
}

interface DetailsProps {
  readonly delivery: AnyJson;
  readonly onClose: () => void;
}

/** All details of an attempt. The response comes from an untrusted server, so it is shown as plain text. */
function DeliveryDetails({ delivery, onClose }: DetailsProps) {
  const { id, event_id: eventId, status, body, answered_body: answered, attempted_at: at } = delivery;
  const reason = failureOf(delivery);
  return (
    <>
      <p>
        <span class={`status ${reason === null ? 's2' : 's5'}`}>{status}</span>
      </p>
      {reason !== null && <p class="bad">{reason}</p>}
      <p class="hint">
        <IdLink id={eventId} /> · <span class="mono">{id}</span> ·{' '}
        {[responseOf(delivery), durationOf(delivery), at].filter(Boolean).join(' · ')}
      </p>
      <HeaderTable headers={Object.entries(delivery.request_headers)} isOpen={true} />
      <ShownText
        name="Body"
        text={body}
        shown={body === '' ? '' : JSON.stringify(JSON.parse(body), null, 2)}
      />
      {answered !== null && <ShownText name="Start of the response" text={answered} />}
      <div class="tools">
        <button type="button" onClick={() => onClose()}>
          Close
        </button>
      </div>
    </>
  );
}
