import { ListSection } from './list-view.tsx';
import { LISTS } from './lists.ts';
import { Balance } from './money-view.tsx';
import { addressOf } from './route.ts';

/** What a merchant sees first: the money, and the newest payments. */
export function HomeView() {
  return (
    <article class="view" aria-label="Home">
      <header class="view-head">
        <h2 tabIndex={-1}>Home</h2>
        <p class="tools">
          <a class="button primary" href={addressOf(['api', 'payments_CreatePayment'])}>
            Create a payment
          </a>
        </p>
      </header>
      <Balance />
      <section class="stack">
        <h3>
          <a href={addressOf(['payments'])}>Newest payments</a>
        </h3>
        <ListSection kind={LISTS.payments} route={{ path: ['payments'], query: {} }} hasFilters={false} />
      </section>
    </article>
  );
}
