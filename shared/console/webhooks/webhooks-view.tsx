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
import { RATES_MAX, ReceiverCard } from './receiver-card.tsx';

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
    <article class="view" aria-label="Webhook endpoints">
      <WebhooksHead
        title={title}
        onCreate={() => void ask(CREATE, { label: 'Create', values: { events: ALL_EVENTS } }, reveal)}
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
        <h2 tabIndex={-1} ref={title}>
          Webhook endpoints
        </h2>
        <p class="hint">
          Your own servers. They receive the events of this test world, with a signature.
          {hasTestKit && (
            <>
              {' '}
              What your own programs sent is in the <a href={addressOf(['requests'])}>log of requests</a>. The{' '}
              <a href={addressOf(['exam'])}>exam</a> tests your receiver.
            </>
          )}
        </p>
      </div>
      <button type="button" class="primary" onClick={onCreate}>
        Create an endpoint
      </button>
    </header>
  );
}

function NoEndpoint() {
  return (
    <section class="empty">
      <h3>No endpoint yet</h3>
      <p>Create one with the URL of your server. It receives all events from then on.</p>
      {isOwnMachine(location.hostname) ? (
        <p>
          The service runs on your machine, and reaches a server there: <code>{OWN_SERVER}</code>
        </p>
      ) : (
        <p>
          A server on your own machine cannot be reached from outside. Events can be forwarded to it:{' '}
          <code>pg listen --forward-to {OWN_SERVER}</code>
        </p>
      )}
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
        {events.includes(ALL_EVENTS) ? 'Receives every event.' : `Receives ${events.join(', ')}.`}
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
        Failing since <ShownTime at={since} />. It is disabled after {FAILING_MAX_MS / DAY_MS} days
      </span>
    );
  }
  return last === null ? (
    <span class="state hint">No deliveries yet</span>
  ) : (
    <span class="state good">Accepts deliveries</span>
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
  return ['Ping', ping];
}

function secretTools({ endpoint: { id, url }, actions: { act }, ask, reveal }: EndpointToolsProps): Tool[] {
  const params = { id };
  const show = () =>
    act('webhooks.GetWebhookEndpoint', { params }, (json) => {
      reveal(json);
      return json.secret === undefined ? LACKS_SECRET : '';
    });
  const values = { overlap_hours: OVERLAP_HOURS_DEFAULT };
  const question = { params, about: url, label: 'Rotate secret', values };
  return [
    ['Secret', show],
    ['Rotate secret', () => ask('webhooks.RotateWebhookSecret', question, reveal)],
  ];
}

function recoverTool({ endpoint, actions: { say }, ask }: EndpointToolsProps): Tool {
  const { id, url } = endpoint;
  const recover = (since: string): Promise<void> => {
    const question = { params: { id }, about: url, label: 'Recover', values: { since } };
    return ask('webhooks.RecoverEvents', question, (json) =>
      say(<Recovered json={json} onMore={(next) => void recover(next)} />),
    );
  };
  return ['Recover', () => recover(lastWellAt(endpoint))];
}

function editTool({ endpoint, actions: { say }, ask }: EndpointToolsProps): Tool {
  const { id, url, description, events } = endpoint;
  const question = { params: { id }, about: url, label: 'Edit', values: { url, description, events } };
  return ['Edit', () => ask(UPDATE, question, () => say('The endpoint was updated.'))];
}

function switchTool({ endpoint: { id, status }, actions: { act } }: EndpointToolsProps): Tool {
  const enabled = status !== 'enabled';
  const done = enabled
    ? 'The endpoint is enabled and receives events from now on. "Recover" sends the events that it missed.'
    : 'The endpoint is disabled. It receives no events.';
  return [enabled ? 'Enable' : 'Disable', () => act(UPDATE, { params: { id }, body: { enabled } }, done)];
}

function deleteTool({ endpoint: { id, url }, actions: { say }, ask, onDeleted }: EndpointToolsProps): Tool {
  const remove = () =>
    ask('webhooks.DeleteWebhookEndpoint', { params: { id }, about: url, label: 'Delete' }, () => {
      say('The endpoint was deleted.');
      onDeleted();
    });
  return ['Delete', remove];
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
      {next !== null && (
        <>
          {' There are more since '}
          <ShownTime at={next} />.{' '}
          <button type="button" class="small" onClick={() => onMore(next)}>
            Recover them
          </button>
        </>
      )}
    </>
  );
}

/** The result of a test event. */
function PingResult({ delivery }: { readonly delivery: BodyOf<'webhooks.SendTestEvent'> }) {
  const reason = failureOf(delivery);
  const text = [reason ?? 'The test event was accepted', responseOf(delivery), durationOf(delivery)];
  return <span class={reason === null ? undefined : 'bad'}>{text.filter(Boolean).join(' · ')}</span>;
}

const LACKS_SECRET = 'This key lacks webhook.manage, so it cannot read the secret.';

/** A secret is in the page only while its dialog is open. */
function revealSecret(
  { openDialog }: Pick<ReturnType<typeof useDashboard>, 'openDialog'>,
  { say }: Actions,
  { url, secret, previous_secret_expires_at: overlapEnds }: Secretive,
): void {
  if (secret === undefined) {
    say(LACKS_SECRET);
    return;
  }
  void openDialog({
    title: 'The secret of an endpoint',
    content: (close) => (
      <>
        <p>
          <code>{url}</code>
        </p>
        <p>
          Your server uses this secret to verify that an event comes from this service. Store it like a
          password.
        </p>
        {overlapEnds !== null && <p class="hint">{overlapText(overlapEnds)}</p>}
        <ShownText name="Secret" text={secret} />
        <div class="tools">
          <button type="button" onClick={() => close()}>
            Done
          </button>
        </div>
      </>
    ),
  });
}
