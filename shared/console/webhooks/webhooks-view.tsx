/// <reference lib="dom" />
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { WebhookEndpointView } from '../../contract/webhook-endpoint-view.ts';
import { DAY_MS } from '../../domain/clock.ts';
import { ALL_EVENTS, FAILING_MAX_MS, OVERLAP_HOURS_DEFAULT } from '../../domain/endpoint-limits.ts';
import {
  disabledText,
  durationOf,
  failureOf,
  lastWellAt,
  overlapText,
  recoveredText,
  responseOf,
} from '../../story/delivery-words.ts';
import type { BodyOf, OperationId } from '../../story/operation-id.ts';
import { addressOf } from '../../story/route.ts';
import { askForInput, type Question } from '../act/form-dialog.tsx';
import { type Actions, useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { isOwnMachine } from '../call/unreachable-text.ts';
import { useRead } from '../call/use-read.ts';
import { useRoute } from '../call/use-route.ts';
import { absenceOf } from '../show/shown-problem.tsx';
import { ShownText } from '../show/shown-text.tsx';
import { ShownTime } from '../show/shown-time.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { RATES_MAX, ReceiverCard } from './receiver-card.tsx';
import { webhookTexts } from './webhook-texts.ts';

const { view: viewTexts, noEndpoint: noEndpointTexts, endpoint: endpointTexts } = webhookTexts;
const { tools: toolTexts, secret: secretTexts } = webhookTexts;

const CREATE = 'webhooks.CreateWebhookEndpoint';
const UPDATE = 'webhooks.UpdateWebhookEndpoint';
const LOG_LIMIT = 20;
const OWN_SERVER = 'http://127.0.0.1:3000/hook';

type AskInput = <Id extends OperationId>(
  operationId: Id,
  question: Question<Id>,
  then: (body: BodyOf<Id>) => void,
) => Promise<void>;
/** An endpoint with its secret, if the key may see that. */
type Secretive = BodyOf<'webhooks.GetWebhookEndpoint'>;

/**
 * The merchant's webhook endpoints, with their actions and their deliveries.
 * @param shownId the endpoint that the address names; it is open at first
 */
export function WebhooksView({ shownId }: { readonly shownId?: string | undefined }) {
  const dashboard = useDashboard();
  const actions = useActions();
  const title = useRef<HTMLHeadingElement>(null);
  const { receiver } = useRoute().query;
  const [firstId] = useState([shownId, receiver].find((id) => id?.startsWith('whe_')));
  const listState = useRead('webhooks.ListWebhookEndpoints');
  const refusal = absenceOf(listState);
  // Until the next list: nothing is read of an endpoint that is gone.
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const listed = listState.response?.body?.data ?? [];
  const endpoints = listed.filter(({ id }) => !deleted.includes(id));
  const reveal = (endpoint: Secretive) => revealSecret(dashboard, actions, endpoint);

  const ask: AskInput = async (operationId, question, then) => {
    const body = await askForInput(dashboard, operationId, question);
    if (body !== null) {
      then(body);
      dashboard.reads.refresh();
    }
  };

  return (
    <article class="view" aria-label={viewTexts.title}>
      <WebhooksHead
        title={title}
        onCreate={() => void ask(CREATE, { label: viewTexts.create, values: { events: ALL_EVENTS } }, reveal)}
      />
      {actions.report}
      {listState.failure !== null && <p class="problem">{listState.failure}</p>}
      {refusal !== null && listState.failure === null && <p class="hint">{refusal}</p>}
      {refusal === null && endpoints.length === 0 && <NoEndpoint />}
      {endpoints.map((endpoint, index) => (
        <EndpointCard
          key={endpoint.id}
          endpoint={endpoint}
          isFirst={firstId === undefined ? index === 0 : endpoint.id === firstId}
          hasRate={index < RATES_MAX}
          actions={actions}
          ask={ask}
          reveal={reveal}
          onDeleted={() => {
            setDeleted([...deleted, endpoint.id]);
            title.current?.focus();
          }}
        />
      ))}
    </article>
  );
}

interface HeadProps {
  readonly title: RefObject<HTMLHeadingElement | null>;
  readonly onCreate: () => void;
}

function WebhooksHead({ title, onCreate }: HeadProps) {
  const { hasTestKit } = useDashboard();
  return (
    <header class="view-head">
      <div>
        <ViewHeading heading={title}>{viewTexts.title}</ViewHeading>
        <p class="hint">
          {viewTexts.about}
          {hasTestKit && (
            <>
              {' '}
              {viewTexts.aboutTests(
                <a href={addressOf(['requests'])}>{viewTexts.requests}</a>,
                <a href={addressOf(['exam'])}>{viewTexts.exam}</a>,
              )}
            </>
          )}
        </p>
      </div>
      <button type="button" class="primary" onClick={onCreate}>
        {viewTexts.createEndpoint}
      </button>
    </header>
  );
}

function NoEndpoint() {
  return (
    <section class="empty">
      <h3>{noEndpointTexts.title}</h3>
      <p>{noEndpointTexts.begin}</p>
      <p>
        {isOwnMachine(location.hostname)
          ? noEndpointTexts.ownMachine(<code>{OWN_SERVER}</code>)
          : noEndpointTexts.otherMachine(<code>pg listen --forward-to {OWN_SERVER}</code>)}
      </p>
    </section>
  );
}

interface EndpointProps {
  readonly endpoint: WebhookEndpointView;
  readonly isFirst: boolean;
  readonly hasRate: boolean;
  readonly actions: Actions;
  readonly ask: AskInput;
  readonly reveal: (endpoint: Secretive) => void;
  readonly onDeleted: () => void;
}

function EndpointCard(props: EndpointProps) {
  const { endpoint, isFirst, hasRate, actions } = props;
  const { id, url, description, events, previous_secret_expires_at: overlapEnds } = endpoint;
  return (
    <ReceiverCard
      id={id}
      title={url}
      state={<EndpointState endpoint={endpoint} />}
      isFirst={isFirst}
      hasRate={hasRate}
      logId="webhooks.ListEndpointDeliveries"
      limit={LOG_LIMIT}
      redeliveryId={endpoint.status === 'enabled' ? 'webhooks.RedeliverEvent' : null}
      act={actions.act}
    >
      {description !== null && <p>{description}</p>}
      <p class="hint">
        {events.includes(ALL_EVENTS) ? endpointTexts.receivesAll : endpointTexts.receives(events.join(', '))}
      </p>
      {overlapEnds !== null && <p class="hint">{overlapText(overlapEnds)}</p>}
      <EndpointTools {...props} />
    </ReceiverCard>
  );
}

function EndpointState({ endpoint }: Pick<EndpointProps, 'endpoint'>) {
  const { status, disabled_reason: reason, failing_since: since, last_success_at: last } = endpoint;
  if (status === 'disabled') {
    return <span class={`state ${reason === 'requested' ? 'warn' : 'bad'}`}>{disabledText(endpoint)}</span>;
  }
  if (since !== null) {
    return (
      <span class="state bad">
        {endpointTexts.failing(<ShownTime at={since} />, FAILING_MAX_MS / DAY_MS)}
      </span>
    );
  }
  return last === null ? (
    <span class="state hint">{endpointTexts.noDeliveries}</span>
  ) : (
    <span class="state good">{endpointTexts.accepts}</span>
  );
}

type EndpointToolsProps = Omit<EndpointProps, 'isFirst' | 'hasRate'>;
type Tool = readonly [label: string, click: () => Promise<void>];

function EndpointTools(props: EndpointToolsProps) {
  const isEnabled = props.endpoint.status === 'enabled';
  const tools = [
    ...(isEnabled ? [pingTool(props)] : []),
    ...secretTools(props),
    ...(isEnabled ? [recoverTool(props)] : []),
    editTool(props),
    switchTool(props),
    deleteTool(props),
  ];
  return (
    <div class="tools">
      {tools.map(([label, click]) => (
        <button key={label} type="button" class="small" onClick={() => void click()}>
          {label}
        </button>
      ))}
    </div>
  );
}

function pingTool({ endpoint: { id }, actions: { act } }: EndpointToolsProps): Tool {
  const ping = () =>
    act('webhooks.SendTestEvent', { params: { id }, body: {} }, (json) => <PingResult delivery={json} />);
  return [toolTexts.ping, ping];
}

function secretTools({ endpoint: { id, url }, actions: { act }, ask, reveal }: EndpointToolsProps): Tool[] {
  const params = { id };
  const show = () =>
    act('webhooks.GetWebhookEndpoint', { params }, (json) => {
      reveal(json);
      return json.secret === undefined ? toolTexts.lacksSecret : '';
    });
  const values = { overlap_hours: OVERLAP_HOURS_DEFAULT };
  const question = { params, about: url, label: toolTexts.rotate, values };
  return [
    [toolTexts.secret, show],
    [toolTexts.rotate, () => ask('webhooks.RotateWebhookSecret', question, reveal)],
  ];
}

function recoverTool({ endpoint, actions: { say }, ask }: EndpointToolsProps): Tool {
  const { id, url } = endpoint;
  const recover = (since: string): Promise<void> => {
    const question = { params: { id }, about: url, label: toolTexts.recover, values: { since } };
    return ask('webhooks.RecoverEvents', question, (json) =>
      say(<Recovered json={json} onMore={(next) => void recover(next)} />),
    );
  };
  return [toolTexts.recover, () => recover(lastWellAt(endpoint))];
}

function editTool({ endpoint, actions: { say }, ask }: EndpointToolsProps): Tool {
  const { id, url, description, events } = endpoint;
  const values = { url, description, events };
  const question = { params: { id }, about: url, label: toolTexts.edit, values };
  return [toolTexts.edit, () => ask(UPDATE, question, () => say(toolTexts.updated))];
}

function switchTool({ endpoint: { id, status }, actions: { act } }: EndpointToolsProps): Tool {
  const enabled = status !== 'enabled';
  const label = enabled ? toolTexts.enable : toolTexts.disable;
  const done = enabled ? toolTexts.enabled : toolTexts.disabled;
  return [label, () => act(UPDATE, { params: { id }, body: { enabled } }, done)];
}

function deleteTool({ endpoint: { id, url }, actions: { say }, ask, onDeleted }: EndpointToolsProps): Tool {
  const remove = () =>
    ask('webhooks.DeleteWebhookEndpoint', { params: { id }, about: url, label: toolTexts.delete }, () => {
      say(toolTexts.deleted);
      onDeleted();
    });
  return [toolTexts.delete, remove];
}

interface RecoveredProps {
  readonly json: BodyOf<'webhooks.RecoverEvents'>;
  /** Recovers what is left, from this time on. */
  readonly onMore: (since: string) => void;
}

/** How many events are sent again, and a way to those beyond the limit of one request. */
function Recovered({ json, onMore }: RecoveredProps) {
  const { next_since: next } = json;
  return (
    <>
      {recoveredText(json)}
      {next !== null &&
        toolTexts.more(
          <ShownTime at={next} />,
          <button type="button" class="small" onClick={() => onMore(next)}>
            {toolTexts.recoverMore}
          </button>,
        )}
    </>
  );
}

/** The result of a test event. */
function PingResult({ delivery }: { readonly delivery: BodyOf<'webhooks.SendTestEvent'> }) {
  const reason = failureOf(delivery);
  const text = [reason ?? toolTexts.pinged, responseOf(delivery), durationOf(delivery)];
  return <span class={reason === null ? undefined : 'bad'}>{text.filter(Boolean).join(' · ')}</span>;
}

/** A secret is in the page only while its dialog is open. */
function revealSecret(
  { openDialog }: Pick<ReturnType<typeof useDashboard>, 'openDialog'>,
  { say }: Actions,
  { url, secret, previous_secret_expires_at: overlapEnds }: Secretive,
): void {
  if (secret === undefined) {
    say(toolTexts.lacksSecret);
    return;
  }
  void openDialog({
    title: secretTexts.title,
    content: (close) => (
      <>
        <p>
          <code>{url}</code>
        </p>
        <p>{secretTexts.about}</p>
        {overlapEnds !== null && <p class="hint">{overlapText(overlapEnds)}</p>}
        <ShownText name={secretTexts.name} text={secret} />
        <div class="tools">
          <button type="button" onClick={() => close()}>
            {secretTexts.done}
          </button>
        </div>
      </>
    ),
  });
}
