/// <reference lib="dom" />

import type { PING } from '../../contract/events.ts';
import { durationOf, eventTypeOf, failureOf, responseOf } from '../../story/delivery-words.ts';
import type { LogId } from '../../story/lists.ts';
import type { RowOf } from '../../story/operation-id.ts';
import { addressOf, type DashboardRoute } from '../../story/route.ts';
import type { RunAction } from '../act/use-actions.tsx';
import { ModalDialog } from '../call/dialog-host.tsx';
import { useRead } from '../call/use-read.ts';
import { currentRoute, useRoute } from '../call/use-route.ts';
import { IdLink } from '../show/linked-text.tsx';
import { absenceOf } from '../show/shown-problem.tsx';
import { ShownTime } from '../show/shown-time.tsx';
import { AttemptPanes } from './attempt-panes.tsx';
import { webhookTexts } from './webhook-texts.ts';

const { log: logTexts, delivery: deliveryTexts } = webhookTexts;

/** The operations that send the event of an attempt again. */
export type RedeliveryId = 'testkit.Redeliver' | 'webhooks.RedeliverEvent';
type LoggedAttempt = RowOf<LogId>;

/** Its module holds schemas, so the page imports only its type. */
const TEST_EVENT: typeof PING = 'webhook.ping';

interface LogProps {
  readonly receiverId: string;
  /** The operation that lists the attempts. */
  readonly logId: LogId;
  readonly limit: number;
  readonly act: RunAction;
  /** The operation that sends the event of an attempt again; null if there is none. */
  readonly redeliveryId: RedeliveryId | null;
}

/** What the address says of the log of one receiver: its filters, its page, and the attempt that is open. */
function useLogRoute(receiverId: string) {
  const route = useRoute();
  const ownOf = ({ query }: DashboardRoute) => (query.receiver === receiverId ? query : {});
  const address = (query: DashboardRoute['query'], from = route) => {
    const { receiver: _, failed: _f, event_type: _t, older: _o, delivery: _d, ...others } = from.query;
    return addressOf(from.path, { ...others, ...ownOf(from), receiver: receiverId, ...query });
  };
  const go = (query: DashboardRoute['query']) => {
    location.hash = address(query, currentRoute());
  };
  return { query: ownOf(route), address, go };
}

type LogRoute = ReturnType<typeof useLogRoute>;

/** The attempts to deliver events to a receiver. */
export function DeliveryLog({ receiverId, logId, limit, act, redeliveryId }: LogProps) {
  const { query, address, go } = useLogRoute(receiverId);
  const { failed, event_type: type, older, delivery: shownId } = query;
  const page = { limit: String(limit), ...(older !== undefined && { after: older }) };
  const state = useRead(logId, { params: { id: receiverId }, query: page });
  const listed = state.response?.body;
  if (!listed) {
    return <p class="hint">{absenceOf(state)}</p>;
  }
  const data: readonly LoggedAttempt[] = listed.data;
  const shown = data.filter(
    (delivery) =>
      (failed === undefined || delivery.status !== 'delivered') &&
      (type === undefined || eventTypeOf(delivery) === type),
  );
  const openDelivery = data.find(({ id }) => id === shownId);
  const redeliver = ({ id }: LoggedAttempt, operationId: RedeliveryId) => {
    const params = { id: receiverId, delivery_id: id };
    void act(operationId, { params, body: {} }, logTexts.redelivered);
  };
  return (
    <>
      {data.length === 0 && <p class="hint">{logTexts.empty}</p>}
      {data.length > 0 && <LogFilters data={data} query={query} go={go} />}
      {data.length > 0 && shown.length === 0 && <p class="hint">{logTexts.noneShown}</p>}
      {shownId !== undefined && openDelivery === undefined && <p class="hint">{logTexts.notListed}</p>}
      <ol class="deliveries">
        {shown.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            onOpen={() => go({ delivery: delivery.id })}
            onRedeliver={
              redeliveryId === null || eventTypeOf(delivery) === TEST_EVENT
                ? null
                : () => redeliver(delivery, redeliveryId)
            }
          />
        ))}
      </ol>
      <LogPages receiverId={receiverId} older={older} next={listed.next_cursor} address={address} />
      {openDelivery !== undefined && <OpenDelivery delivery={openDelivery} go={go} />}
    </>
  );
}

interface FiltersProps extends Pick<LogRoute, 'query' | 'go'> {
  readonly data: readonly LoggedAttempt[];
}

function LogFilters({ data, query: { failed, event_type: type }, go }: FiltersProps) {
  const types = new Set<string>([...data.map(eventTypeOf), ...(type === undefined ? [] : [type])]);
  return (
    <div class="filters">
      <label class="keep">
        <input
          type="checkbox"
          checked={failed !== undefined}
          onChange={({ currentTarget }) => go({ failed: currentTarget.checked ? 'true' : '' })}
        />
        {logTexts.failedOnly}
      </label>
      <select
        aria-label={logTexts.eventType}
        value={type ?? ''}
        onChange={({ currentTarget }) => go({ event_type: currentTarget.value })}
      >
        <option value="">{logTexts.allTypes}</option>
        {[...types].toSorted().map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </div>
  );
}

interface PagesProps extends Pick<LogRoute, 'address'> {
  readonly receiverId: string;
  /** The cursor of the page that is shown; undefined for the newest. */
  readonly older: string | undefined;
  readonly next: string | null;
}

function LogPages({ receiverId, older, next, address }: PagesProps) {
  if (older === undefined && next === null) {
    return null;
  }
  return (
    <nav class="tools" aria-label={logTexts.pages(receiverId)}>
      {older !== undefined && (
        <a class="button small" href={address({ older: '' })}>
          {logTexts.newest}
        </a>
      )}
      {next !== null && (
        <a class="button small" href={address({ older: next })}>
          {logTexts.older}
        </a>
      )}
    </nav>
  );
}

function OpenDelivery({ delivery, go }: Pick<LogRoute, 'go'> & Pick<RowProps, 'delivery'>) {
  return (
    <ModalDialog
      title={deliveryTexts.title(eventTypeOf(delivery), delivery.attempt)}
      isWide={true}
      content={(close) => <DeliveryDetails delivery={delivery} onClose={close} />}
      onClose={() => {
        // It closes too if the address has led elsewhere.
        if (currentRoute().query.delivery === delivery.id) {
          go({ delivery: '' });
        }
      }}
    />
  );
}

interface RowProps {
  readonly delivery: LoggedAttempt;
  readonly onOpen: () => void;
  readonly onRedeliver: (() => void) | null;
}

function DeliveryRow({ delivery, onOpen, onRedeliver }: RowProps) {
  const { attempt, status, attempted_at: at, next_attempt_at: next } = delivery;
  const verdict = 'signature_verdict' in delivery ? delivery.signature_verdict : undefined;
  const reason = failureOf(delivery);
  const signature = verdict !== undefined && deliveryTexts.signatures[verdict];
  const facts = [responseOf(delivery), signature, durationOf(delivery)];
  return (
    <li>
      <span class={`dot d-${status}`} aria-hidden="true" />
      <b>
        <button type="button" class="link" onClick={onOpen}>
          {eventTypeOf(delivery)}
        </button>
      </b>
      <div class="facts">
        {deliveryTexts.attempt(attempt, deliveryTexts.statuses[status])}
        {reason !== null && <span class="bad block">{reason}</span>}
        <span class="hint block">
          {facts.filter(Boolean).join(' · ')} · <ShownTime at={at} />
          {next !== null && deliveryTexts.again(<ShownTime at={next} />)}
        </span>
      </div>
      {onRedeliver !== null && (
        <button type="button" class="small" onClick={onRedeliver}>
          {deliveryTexts.redeliver}
        </button>
      )}
    </li>
  );
}

interface DetailsProps {
  readonly delivery: LoggedAttempt;
  readonly onClose: () => void;
}

function DeliveryDetails({ delivery, onClose }: DetailsProps) {
  const verdict = 'signature_verdict' in delivery ? delivery.signature_verdict : null;
  return (
    <>
      <p class="hint">
        <IdLink id={delivery.event_id} />
      </p>
      <AttemptPanes
        attempt={delivery}
        kind={'endpoint_id' in delivery ? 'endpoint' : 'sink'}
        verdict={verdict}
      />
      <div class="tools">
        <button type="button" onClick={() => onClose()}>
          {deliveryTexts.close}
        </button>
      </div>
    </>
  );
}
