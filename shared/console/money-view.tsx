import { formatMoney } from './amounts.ts';
import type { AnyJson } from './gate.ts';
import { ListSection } from './list-view.tsx';
import { LISTS } from './lists.ts';
import { addressOf } from './route.ts';
import { refusalOf } from './shown-problem.tsx';
import { useRead } from './use-read.ts';

/** The sums of the balance, what each is made of, and where that is listed. */
const SUMS = [
  [
    'unsettled',
    'Unsettled',
    'Payments less refunds that no settlement has yet',
    ['payments', { status: 'succeeded' }],
  ],
  ['pending', 'On its way', 'Payouts that the bank has not accepted yet', ['payouts', { status: 'pending' }]],
  ['paid_out', 'Paid out', 'Payouts that the bank has accepted', ['payouts', { status: 'paid' }]],
] as const;
export const BALANCE = { operationId: 'reports_GetBalance' };
const NO_FILTERS = { query: {} };

/** The merchant's money: what is not settled, on its way and paid out, with settlements and payouts. */
export function MoneyView() {
  return (
    <article class="view" aria-label="Money">
      <header class="view-head">
        <h2 tabIndex={-1}>Money</h2>
      </header>
      <Balance />
      {[LISTS.settlements, LISTS.payouts].map((kind) => (
        <section key={kind.place} class="stack">
          <h3>
            <a href={`#/${kind.place}`}>{kind.title}</a>
          </h3>
          <ListSection kind={kind} route={{ path: [kind.place], ...NO_FILTERS }} hasFilters={false} />
        </section>
      ))}
    </article>
  );
}

export function Balance() {
  const { answer } = useRead(BALANCE.operationId);
  if (answer === null) {
    return <p class="hint">Reading …</p>;
  }
  const refusal = refusalOf(answer);
  if (refusal !== null) {
    return <p class="hint">{refusal}</p>;
  }
  const balance: AnyJson = answer.json;
  return (
    <dl class="sums">
      {SUMS.map(([name, title, made, [place, query]]) => (
        <div key={name}>
          <dt>{title}</dt>
          <dd>{formatMoney(balance[name])}</dd>
          <dd class="made">
            <a href={addressOf([place], query)}>{made}</a>
          </dd>
        </div>
      ))}
    </dl>
  );
}
