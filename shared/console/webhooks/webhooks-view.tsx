/// <reference lib="dom" />
// biome-ignore-all lint/a11y/noRedundantRoles: the style of a narrow screen takes the roles of its elements from a table
import type { WebhookEndpointView } from '../../contract/webhook-endpoint-view.ts';
import { dayRateOf, dayRateText } from '../../story/day-rate.ts';
import { readOf } from '../../story/read-request.ts';
import { addressOf } from '../../story/route.ts';
import { useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { isOwnMachine } from '../call/unreachable-text.ts';
import { useNow } from '../call/use-now.ts';
import { useRead, useReads } from '../call/use-read.ts';
import { absenceOf } from '../show/shown-problem.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { askForEndpoint } from './endpoint-form.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { RATES_MAX } from './receiver-card.tsx';
import { revealSecret } from './reveal-secret.tsx';
import { webhookTexts } from './webhook-texts.ts';

const { view: viewTexts, noEndpoint: noEndpointTexts, endpoint: endpointTexts } = webhookTexts;

const OWN_SERVER = 'http://127.0.0.1:3000/hook';

/**
 * The merchant's webhook endpoints, each a row that leads to its page: sixteen cards with their logs would hide one
 * another, and a row has its two lines on a phone, too.
 */
export function WebhooksView() {
  const dashboard = useDashboard();
  const actions = useActions();
  const state = useRead('webhooks.ListWebhookEndpoints');
  const refusal = absenceOf(state);
  const endpoints = state.response?.body?.data ?? [];
  const create = async () => {
    const created = await askForEndpoint(dashboard, null);
    if (created !== null) {
      dashboard.reads.refresh();
      await revealSecret(dashboard, actions, created);
      location.hash = addressOf(['webhooks', created.id]);
    }
  };
  return (
    <article class="view" aria-label={viewTexts.title}>
      <WebhooksHead onCreate={() => void create()} />
      {actions.report}
      {state.failure !== null && <p class="problem">{state.failure}</p>}
      {refusal !== null && state.failure === null && <p class="hint">{refusal}</p>}
      {refusal === null && endpoints.length === 0 && <NoEndpoint />}
      {endpoints.length > 0 && <EndpointTable endpoints={endpoints} />}
    </article>
  );
}

function WebhooksHead({ onCreate }: { readonly onCreate: () => void }) {
  const { hasTestKit } = useDashboard();
  return (
    <header class="view-head">
      <div>
        <ViewHeading>{viewTexts.title}</ViewHeading>
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

function EndpointTable({ endpoints }: { readonly endpoints: readonly WebhookEndpointView[] }) {
  const { url, state, rate } = endpointTexts.columns;
  return (
    <table class="data endpoints" role="table" aria-label={viewTexts.title}>
      <thead role="rowgroup">
        <tr role="row">
          {[url, state, rate].map((title) => (
            <th key={title} role="columnheader" scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {endpoints.map((endpoint, index) => (
          <tr key={endpoint.id} role="row" data-id={endpoint.id}>
            <td role="cell">
              <a class="row-link" href={addressOf(['webhooks', endpoint.id])}>
                {endpoint.url}
              </a>
            </td>
            <td role="cell">
              <EndpointState endpoint={endpoint} isShort={true} />
            </td>
            <td role="cell" class="c-number">
              {index < RATES_MAX && <RateOfRow id={endpoint.id} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How many of the newest attempts of the last 24 hours succeeded. */
function RateOfRow({ id }: { readonly id: string }) {
  const now = useNow();
  const log = readOf('webhooks.ListEndpointDeliveries', { params: { id }, query: { limit: '100' } }, 'calm');
  const [{ response }] = useReads([log]);
  return <>{dayRateText(dayRateOf(response?.body?.data ?? [], now))}</>;
}
