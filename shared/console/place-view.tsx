import { ApiView } from './api-view.tsx';
import { useDashboard } from './dashboard-context.ts';
import { HomeView } from './home-view.tsx';
import { ListView } from './list-view.tsx';
import { LISTS, type ListedKind } from './lists.ts';
import { MoneyView } from './money-view.tsx';
import { ResourceView } from './resource-view.tsx';
import { addressOf, type PlaceRoute } from './route.ts';
import { WebhooksView } from './webhooks-view.tsx';

const KINDS: Readonly<Record<string, ListedKind>> = LISTS;

/** What the address names. */
export function PlaceView({ route }: { readonly route: PlaceRoute }) {
  const { gate } = useDashboard();
  const [place = '', id] = route.path;
  const kind = KINDS[place];
  if (place === 'api') {
    return <ApiView route={route} />;
  }
  if (!gate.isOpen()) {
    return null;
  }
  if (place === '') {
    return <HomeView />;
  }
  if (place === 'money') {
    return <MoneyView />;
  }
  if (place === 'webhooks') {
    return <WebhooksView key={id} shownId={id} />;
  }
  if (kind === undefined) {
    return (
      <article class="view" aria-label="Unknown place">
        <h2 tabIndex={-1}>There is nothing at this address</h2>
        <p>
          <a href={addressOf([])}>Home</a>
        </p>
      </article>
    );
  }
  return id === undefined ? (
    <ListView key={place} kind={kind} route={route} />
  ) : (
    <ResourceView key={id} kind={kind} id={id} />
  );
}
