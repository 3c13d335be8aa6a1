import type { PayoutView } from '../../contract/payouts.ts';
import type { SettlementView } from '../../contract/settlements.ts';
import { formatMoney } from '../../story/amounts.ts';
import { LISTS, type ListedKind, type ListedRow } from '../../story/lists.ts';
import { readOf } from '../../story/read-request.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead, useReads } from '../call/use-read.ts';
import { CreateButton } from '../list/create-button.tsx';
import { DataTable } from '../list/data-table.tsx';
import { ListSection } from '../list/list-view.tsx';
import { WholeNumbers } from '../show/linked-text.tsx';
import { showTexts } from '../show/show-texts.ts';
import { absenceOf } from '../show/shown-problem.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { balanceSums } from './balance-sums.ts';
import { DaysChart } from './days-chart.tsx';
import { moneyTexts } from './money-texts.ts';
import { planSettlement } from './settlement-content.ts';

const { settlement: settlementTexts, payout: payoutTexts } = moneyTexts;
/** The fields whose columns show what a settlement took. */
const CONTENT_FIELDS = ['amount', 'number', 'method', 'reference', 'id'];
const LATEST_SETTLEMENT = readOf(LISTS.settlement.listId, { query: { status: 'matched', limit: '1' } });
/** Without a paid payment there is no money, and nothing was settled. */
const NEWEST_PAID = readOf(LISTS.payment.listId, { query: { status: 'succeeded', limit: '1' } });
export const BALANCE = readOf('reports.GetBalance');
const MONEY_LISTS = Object.values(LISTS).filter(({ section }) => section === 'money');
const NO_FILTERS = { query: {} };

/** The merchant's money: what is not settled, on its way and paid out, with settlements and payouts. */
export function MoneyView() {
  const [paid] = useReads([NEWEST_PAID]);
  return (
    <article class="view" aria-label={moneyTexts.money.title}>
      <header class="view-head">
        <ViewHeading>{moneyTexts.money.title}</ViewHeading>
      </header>
      {paid.response?.body?.data.length === 0 ? <NoMoney /> : <MoneyParts />}
    </article>
  );
}

function NoMoney() {
  return (
    <section class="empty">
      <p>{moneyTexts.money.empty}</p>
      <p class="tools">
        <CreateButton kind={LISTS.payment} />
      </p>
    </section>
  );
}

function MoneyParts() {
  return (
    <>
      <Balance />
      <DaysChart />
      {MONEY_LISTS.map((kind) => (
        <section key={kind.segment} class="stack">
          <h3>
            <a href={`#/${kind.segment}`}>{kind.title}</a>
          </h3>
          <ListSection kind={kind} route={{ path: [kind.segment], ...NO_FILTERS }} hasFilters={false} />
        </section>
      ))}
    </>
  );
}

export function Balance() {
  const state = useRead(BALANCE.operationId);
  const [latest] = useReads([LATEST_SETTLEMENT]);
  const balance = state.response?.body;
  if (!balance) {
    return <p class="hint">{absenceOf(state)}</p>;
  }
  return (
    <dl class="sums">
      {balanceSums(latest.response?.body?.data[0]).map(({ name, title, listed, address }) => (
        <div key={name}>
          <dt>{title}</dt>
          <dd>{formatMoney(balance[name])}</dd>
          <dd class="made">
            <a href={address}>
              <WholeNumbers text={listed} />
            </a>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** By how much a statement differs from what was expected, in words. */
function differenceText({ expected, stated }: SettlementView): string {
  const minor = (stated?.minor ?? expected.minor) - expected.minor;
  const difference = formatMoney({ ...expected, minor: Math.abs(minor) });
  return minor < 0 ? settlementTexts.statesLess(difference) : settlementTexts.statesMore(difference);
}

/** What a settlement is made of: the payments and refunds that it took. */
export function SettlementParts({ settlement }: { readonly settlement: SettlementView }) {
  const { reads } = useDashboard();
  const isMatched = settlement.status === 'matched';
  const content = planSettlement(settlement, reads.bodyOf);
  const states = useReads(isMatched ? content.requests : []);
  if (!isMatched) {
    return (
      <div class="note">
        <p>
          <b>{differenceText(settlement)}</b>
        </p>
        <p>{settlementTexts.tookNothing}</p>
      </div>
    );
  }
  if (!states.every(({ response, failure }) => response !== null || failure !== null)) {
    return <p class="hint">{showTexts.reading}</p>;
  }
  const { payments, refunds, payouts, totalMinor } = content;
  const parts: readonly (readonly [title: string, kind: ListedKind, rows: readonly ListedRow[]])[] = [
    [settlementTexts.payments, LISTS.payment, payments],
    [settlementTexts.refunds, LISTS.refund, refunds],
    [settlementTexts.payouts, LISTS.payout, payouts],
  ];
  const { expected } = settlement;
  return (
    <section class="stack" aria-label={settlementTexts.content}>
      <p class="hint">
        {totalMinor === expected.minor
          ? settlementTexts.tookAll(formatMoney(expected))
          : settlementTexts.tookSome(formatMoney({ ...expected, minor: totalMinor }), formatMoney(expected))}
      </p>
      {parts
        .filter(([, , rows]) => rows.length > 0)
        .map(([title, { columns }, rows]) => (
          <section key={title} class="stack">
            <h3>{settlementTexts.partTitle(title, rows.length)}</h3>
            <DataTable
              label={title}
              columns={columns.filter(({ fields }) => fields.some((field) => CONTENT_FIELDS.includes(field)))}
              rows={rows}
            />
          </section>
        ))}
    </section>
  );
}

/** What a payout pays out: its settlement, and earlier ones that share it, as those of a seeded week. */
export function PayoutParts({ payout }: { readonly payout: PayoutView }) {
  const kind = LISTS.settlement;
  const earlier = { status: 'matched', created_to: payout.created_at, limit: '100' };
  const [last, listed] = useReads([
    readOf(kind.getId, { params: { id: payout.settlement_id } }),
    readOf(kind.listId, { query: earlier }),
  ]);
  const settlement = last.response?.body;
  const shared = (listed.response?.body?.data ?? []).filter(({ payout_id: id }) => id === payout.id);
  return !settlement ? null : (
    <section class="stack">
      <h3>{payoutTexts.title(1 + shared.length)}</h3>
      <DataTable label={payoutTexts.settlements} columns={kind.columns} rows={[settlement, ...shared]} />
    </section>
  );
}
