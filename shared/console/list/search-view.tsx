import { BALANCE_CURRENCY } from '../../domain/balance.ts';
import { formatMoney } from '../../story/amounts.ts';
import { LISTS } from '../../story/lists.ts';
import { addressOf } from '../../story/route.ts';
import { type Lookup, lookupsOf, routeOfLookup } from '../../story/search.ts';
import { ViewHeading } from '../show/view-heading.tsx';
import { ListSection } from './list-view.tsx';
import { searchTexts as texts } from './search-texts.ts';

const FOUND_LIMIT = '5';

/** What a search finds: for each thing that the text may mean, the newest payments that have it. */
export function SearchView({ text }: { readonly text: string }) {
  return (
    <article class="view" aria-label={texts.label}>
      <header class="view-head">
        <ViewHeading>{texts.title(text)}</ViewHeading>
      </header>
      {lookupsOf(text).map((lookup) => {
        const route = routeOfLookup(lookup);
        return (
          <section key={lookup.by} class="stack">
            <h3>
              <a href={addressOf(route.path, route.query)}>{texts.by[lookup.by](shownValue(lookup))}</a>
            </h3>
            <ListSection kind={LISTS.payment} route={route} hasFilters={false} limit={FOUND_LIMIT} />
          </section>
        );
      })}
    </article>
  );
}

function shownValue({ by, value }: Lookup): string {
  return by === 'amount_minor' ? formatMoney({ currency: BALANCE_CURRENCY, minor: Number(value) }) : value;
}
