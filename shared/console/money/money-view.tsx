import type { PayoutView } from '../../contract/payouts.ts';
import type { SettlementView } from '../../contract/settlements.ts';
import { formatMoney } from '../../story/amounts.ts';
import { LISTS, type ListedKind, type ListedRow } from '../../story/lists.ts';
import { readOf } from '../../story/read-request.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead, useReads } from '../call/use-read.ts';
import { DataTable } from '../list/data-table.tsx';
import { ListSection } from '../list/list-view.tsx';
import { absenceOf } from '../show/shown-problem.tsx';
import { balanceSums } from './balance-sums.ts';
import { planSettlement } from './settlement-content.ts';

/** The columns of what a settlement took. */
const CONTENT_COLUMNS = ['Amount', 'Number', 'Method', 'Reference', 'Id'];
const LATEST_SETTLEMENT = readOf(LISTS.settlement.listId, { query: { status: 'matched', limit: '1' } });
export const BALANCE = readOf('reports.GetBalance');
const MONEY_LISTS = Object.values(LISTS).filter(({ section }) => section === 'money');
const NO_FILTERS = { query: {} };

/** The merchant's money: what is not settled, on its way and paid out, with settlements and payouts. */
export function MoneyView() {
  return (
    <article class="view" aria-label="Money">
      <header class="view-head">
        <h2 tabIndex={-1}>Money</h2>
      </header>
      <Balance />
      {MONEY_LISTS.map((kind) => (
        <section key={kind.segment} class="stack">
          <h3>
            <a href={`#/${kind.segment}`}>{kind.title}</a>
          </h3>
          <ListSection kind={kind} route={{ path: [kind.segment], ...NO_FILTERS }} hasFilters={false} />
        </section>
      ))}
    </article>
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
            <a href={address}>{listed}</a>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What a settlement is made of: the payments and refunds that it took. */
export function SettlementParts({ settlement }: { readonly settlement: SettlementView }) {
  const { reads } = useDashboard();
  const isMatched = settlement.status === 'matched';
  const content = planSettlement(settlement, reads.bodyOf);
  const states = useReads(isMatched ? content.requests : []);
  if (!isMatched) {
    return (
      <p class="hint">
        It took nothing: the provider stated another amount than {formatMoney(settlement.expected)}.
      </p>
    );
  }
  if (!states.every(({ response, failure }) => response !== null || failure !== null)) {
    return <p class="hint">Reading …</p>;
  }
  const { payments, refunds, payouts, totalMinor } = content;
  const parts: readonly (readonly [title: string, kind: ListedKind, rows: readonly ListedRow[]])[] = [
    ['Payments', LISTS.payment, payments],
    ['Less refunds', LISTS.refund, refunds],
    ['Payouts that came back', LISTS.payout, payouts],
  ];
  const { expected } = settlement;
  return (
    <section class="stack" aria-label="Content">
      <p class="hint">
        {totalMinor === expected.minor
          ? `It took these, ${formatMoney(expected)} in all.`
          : `It took these, ${formatMoney({ ...expected, minor: totalMinor })} of ${formatMoney(expected)}; the rest was not found among the newest.`}
      </p>
      {parts
        .filter(([, , rows]) => rows.length > 0)
        .map(([title, { columns }, rows]) => (
          <section key={title} class="stack">
            <h3>{`${title} (${rows.length})`}</h3>
            <DataTable
              label={title}
              columns={columns.filter((column) => CONTENT_COLUMNS.includes(column.title))}
              rows={rows}
            />
          </section>
        ))}
    </section>
  );
}

/** What a payout pays out: its settlement. */
export function PayoutParts({ payout }: { readonly payout: PayoutView }) {
  const kind = LISTS.settlement;
  const settlement = useRead(kind.getId, { params: { id: payout.settlement_id } }).response?.body;
  return !settlement ? null : (
    <section class="stack">
      <h3>The settlement that it pays out</h3>
      <DataTable label="Settlement" columns={kind.columns} rows={[settlement]} />
    </section>
  );
}
