/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { LISTS } from '../../story/lists.ts';
import { readOf } from '../../story/read-request.ts';
import { addressOf } from '../../story/route.ts';
import { type Actions, useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead, useReads } from '../call/use-read.ts';
import { CreateButton } from '../list/create-button.tsx';
import { listQueryOf } from '../list/list-query.ts';
import { ListSection } from '../list/list-view.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { WhenRead } from '../show/when-read.tsx';
import { DaysChart, useChosenDays } from './days-chart.tsx';
import { type Need, needsOf } from './home-facts.ts';
import { moneyTexts } from './money-texts.ts';
import { BALANCE, Balance } from './money-view.tsx';

const { home: homeTexts, needs: needTexts, emptyWorld: emptyTexts } = moneyTexts;
const NEWEST = { limit: '100' };
const SHOWN = '10';
/** What tells of what needs somebody. */
const NEEDS = [
  readOf('webhooks.ListWebhookEndpoints'),
  readOf('payments.ListPayments', { query: { ...NEWEST, status: 'processing' } }),
  readOf('payments.ListPayments', { query: { ...NEWEST, status: 'succeeded' } }),
  readOf('payments.ListRefunds', { query: { ...NEWEST, status: 'requested' } }),
  readOf('settlements.ListSettlements', { query: { ...NEWEST, status: 'mismatched' } }),
] as const;
const CLOCK = readOf('testkit.GetClock');

/** What a merchant sees first: what needs somebody, the money, and the newest payments. */
export function HomeView() {
  const { calls, hasTestKit } = useDashboard();
  const actions = useActions();
  const query = listQueryOf(calls.operationOf(LISTS.payment.listId), {}, SHOWN);
  const newest = useRead(LISTS.payment.listId, { query });
  const isEmpty = newest.response?.body?.data.length === 0;
  // Later ones are awaited by the chart alone.
  const [statistics] = useState(useChosenDays().request);
  return (
    <article class="view" aria-label={homeTexts.title}>
      <header class="view-head">
        <ViewHeading>{homeTexts.title}</ViewHeading>
        {(!isEmpty || hasTestKit) && <CreateButton kind={LISTS.payment} />}
      </header>
      {actions.report}
      <WhenRead
        requests={[
          ...NEEDS,
          BALANCE,
          statistics,
          readOf(LISTS.payment.listId, { query }),
          ...(hasTestKit ? [CLOCK] : []),
        ]}
      >
        {isEmpty && <EmptyWorld actions={actions} />}
        <Needs actions={actions} />
        {!isEmpty && (
          <>
            <Balance />
            <DaysChart />
            <section class="stack">
              <h3>
                <a href={addressOf(['payments'])}>{homeTexts.newest}</a>
              </h3>
              <ListSection
                kind={LISTS.payment}
                route={{ path: ['payments'], query: {} }}
                hasFilters={false}
                limit={SHOWN}
              />
            </section>
          </>
        )}
      </WhenRead>
    </article>
  );
}

/** What needs somebody, each with its one action. */
function Needs({ actions }: { readonly actions: Actions }) {
  const { hasTestKit } = useDashboard();
  const [endpoints, processing, succeeded, refunds, settlements] = useReads(NEEDS);
  const [clock] = useReads(hasTestKit ? [CLOCK] : []);
  const needs = needsOf({
    endpoints: endpoints.response?.body?.data ?? [],
    processing: processing.response?.body?.data ?? [],
    succeeded: succeeded.response?.body?.data ?? [],
    refunds: refunds.response?.body?.data ?? [],
    settlements: settlements.response?.body?.data ?? [],
    clock: clock?.response?.body ?? null,
  });
  return needs.length === 0 ? null : (
    <section class="stack" aria-label={needTexts.title}>
      <h3>{needTexts.title}</h3>
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

/** What to begin with where there is no payment yet. */
function EmptyWorld({ actions: { act } }: { readonly actions: Actions }) {
  const { hasTestKit } = useDashboard();
  const seed = () => act('testkit.SeedTestData', { body: { profile: 'month' } }, emptyTexts.monthSeeded);
  return (
    <section class="empty" aria-label={emptyTexts.title}>
      <h3>{emptyTexts.title}</h3>
      <p>{hasTestKit ? emptyTexts.seed : emptyTexts.begin}</p>
      <p class="tools">
        {hasTestKit ? (
          <button type="button" onClick={() => void seed()}>
            {emptyTexts.seedMonth}
          </button>
        ) : (
          <CreateButton kind={LISTS.payment} />
        )}
      </p>
    </section>
  );
}
