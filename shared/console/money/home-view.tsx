/// <reference lib="dom" />

import { LISTS } from '../../story/lists.ts';
import { readOf } from '../../story/read-request.ts';
import { addressOf } from '../../story/route.ts';
import { type Actions, useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead, useReads } from '../call/use-read.ts';
import { listQueryOf } from '../list/list-query.ts';
import { ListSection } from '../list/list-view.tsx';
import { WhenRead } from '../show/when-read.tsx';
import { type Need, needsOf } from './home-facts.ts';
import { BALANCE, Balance } from './money-view.tsx';
import { MonthChart, STATISTICS } from './month-chart.tsx';

const NEWEST = { limit: '100' };
const SHOWN = '10';
/** What tells of what needs somebody. */
const NEEDS = [
  readOf('webhooks.ListWebhookEndpoints'),
  readOf('payments.ListPayments', { query: { ...NEWEST, status: 'processing' } }),
  readOf('payments.ListPayments', { query: { ...NEWEST, status: 'succeeded' } }),
  readOf('payments.ListRefunds', { query: { ...NEWEST, status: 'requested' } }),
] as const;
const CLOCK = readOf('testkit.GetClock');

/** What a merchant sees first: what needs somebody, the money, and the newest payments. */
export function HomeView() {
  const { calls, hasTestKit } = useDashboard();
  const actions = useActions();
  const query = listQueryOf(calls.operationOf(LISTS.payment.listId), {}, SHOWN);
  const newest = useRead(LISTS.payment.listId, { query });
  const isEmpty = newest.response?.body?.data.length === 0;
  return (
    <article class="view" aria-label="Home">
      <header class="view-head">
        <h2 tabIndex={-1}>Home</h2>
        {!isEmpty && <CreateLink />}
      </header>
      {actions.report}
      <WhenRead
        requests={[
          ...NEEDS,
          BALANCE,
          STATISTICS,
          readOf(LISTS.payment.listId, { query }),
          ...(hasTestKit ? [CLOCK] : []),
        ]}
      >
        {isEmpty && <EmptyWorld actions={actions} />}
        <Needs actions={actions} />
        <Balance />
        <MonthChart />
        {!isEmpty && (
          <section class="stack">
            <h3>
              <a href={addressOf(['payments'])}>Newest payments</a>
            </h3>
            <ListSection
              kind={LISTS.payment}
              route={{ path: ['payments'], query: {} }}
              hasFilters={false}
              limit={SHOWN}
            />
          </section>
        )}
      </WhenRead>
    </article>
  );
}

/** What needs somebody, each with its one action. */
function Needs({ actions }: { readonly actions: Actions }) {
  const { hasTestKit } = useDashboard();
  const [endpoints, processing, succeeded, refunds] = useReads(NEEDS);
  const [clock] = useReads(hasTestKit ? [CLOCK] : []);
  const needs = needsOf({
    endpoints: endpoints.response?.body?.data ?? [],
    processing: processing.response?.body?.data ?? [],
    succeeded: succeeded.response?.body?.data ?? [],
    refunds: refunds.response?.body?.data ?? [],
    clock: clock?.response?.body ?? null,
  });
  return needs.length === 0 ? null : (
    <section class="stack" aria-label="Needs attention">
      <h3>Needs attention</h3>
      <ul class="needs">
        {needs.map((need) => (
          <li key={need.text}>
            <NeedLine need={need} actions={actions} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NeedLine({ need, actions }: { readonly need: Need; readonly actions: Actions }) {
  const { text, address, label, action } = need;
  if (action === null) {
    return (
      <>
        <span>{text}</span>
        <a class="button small" href={address}>
          {label}
        </a>
      </>
    );
  }
  const { operationId, input, done } = action;
  return (
    <>
      <a href={address}>{text}</a>
      <button type="button" class="small" onClick={() => void actions.act(operationId, input, done)}>
        {label}
      </button>
    </>
  );
}

function CreateLink() {
  return (
    <a class="button primary" href={addressOf(['api', 'payments.CreatePayment'])}>
      Create a payment
    </a>
  );
}

/** What to begin with where there is no payment yet. */
function EmptyWorld({ actions: { act } }: { readonly actions: Actions }) {
  const { hasTestKit } = useDashboard();
  const seed = () =>
    act('testkit.SeedTestData', { body: { profile: 'month' } }, 'A month of payments is there.');
  return (
    <section class="empty" aria-label="No payments yet">
      <h3>No payments yet</h3>
      <p>
        Create the first one from its form
        {hasTestKit && ', or fill this test world with a month of payments, refunds and payouts'}.
      </p>
      <p class="tools">
        <CreateLink />
        {hasTestKit && (
          <button type="button" onClick={() => void seed()}>
            Seed a month
          </button>
        )}
      </p>
    </section>
  );
}
