/// <reference lib="dom" />

import { useDashboard } from './dashboard-context.ts';
import type { AnyJson } from './gate.ts';
import { needsOf } from './home-facts.ts';
import { listQueryOf } from './list-query.ts';
import { ListSection } from './list-view.tsx';
import { LISTS } from './lists.ts';
import { BALANCE, Balance } from './money-view.tsx';
import { MonthChart, STATISTICS } from './month-chart.tsx';
import type { ReadState } from './reads.ts';
import { addressOf } from './route.ts';
import { useActions } from './use-actions.tsx';
import { useReads } from './use-read.ts';
import { WhenRead } from './when-read.tsx';

const NEWEST = { limit: '100' };
/** What tells of what needs somebody. */
const NEEDS = [
  { operationId: 'webhooks_ListWebhookEndpoints', query: {} },
  { operationId: 'payments_ListPayments', query: { ...NEWEST, status: 'processing' } },
  { operationId: 'payments_ListPayments', query: { ...NEWEST, status: 'succeeded' } },
  { operationId: 'payments_ListRefunds', query: { ...NEWEST, status: 'requested' } },
];

/** What a merchant sees first: what needs somebody, the money, and the newest payments. */
export function HomeView() {
  const { calls } = useDashboard();
  const query = listQueryOf(calls.operationOf(LISTS.payments.listId), {});
  return (
    <article class="view" aria-label="Home">
      <header class="view-head">
        <h2 tabIndex={-1}>Home</h2>
        <p class="tools">
          <a class="button primary" href={addressOf(['api', 'payments_CreatePayment'])}>
            Create a payment
          </a>
          <SeedButton />
        </p>
      </header>
      <WhenRead requests={[...NEEDS, BALANCE, STATISTICS, { operationId: LISTS.payments.listId, query }]}>
        <Needs />
        <Balance />
        <MonthChart />
        <section class="stack">
          <h3>
            <a href={addressOf(['payments'])}>Newest payments</a>
          </h3>
          <ListSection kind={LISTS.payments} route={{ path: ['payments'], query: {} }} hasFilters={false} />
        </section>
      </WhenRead>
    </article>
  );
}

/** What needs somebody, each with its one action. */
function Needs() {
  const [endpoints, processing, succeeded, refunds] = useReads(NEEDS).map(dataOf);
  const needs = needsOf({
    endpoints: endpoints ?? [],
    processing: processing ?? [],
    succeeded: succeeded ?? [],
    refunds: refunds ?? [],
  });
  return needs.length === 0 ? null : (
    <section class="stack" aria-label="Needs attention">
      <h3>Needs attention</h3>
      <ul class="needs">
        {needs.map(({ text, label, address }) => (
          <li key={text}>
            <span>{text}</span>
            <a href={address}>{label}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function dataOf({ answer }: ReadState): readonly AnyJson[] {
  return answer?.status === 200 ? answer.json.data : [];
}

/** Fills an empty test world with a month of payments. */
function SeedButton() {
  const { hasTestKit } = useDashboard();
  const { act, report } = useActions();
  const [newest] = useReads([{ operationId: 'payments_ListPayments', query: { limit: '1' } }]);
  const isEmpty = newest?.answer?.status === 200 && newest.answer.json.data.length === 0;
  return (
    <>
      {hasTestKit && isEmpty && (
        <button
          type="button"
          onClick={() =>
            void act('testkit_SeedTestData', { body: { profile: 'month' } }, 'A month of payments is there.')
          }
        >
          Seed a month
        </button>
      )}
      {report}
    </>
  );
}
