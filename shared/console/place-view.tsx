import { ApiView } from './api-view.tsx';
import { useDashboard } from './dashboard-context.ts';
import { ExamView } from './exam-view.tsx';
import { HomeView } from './home-view.tsx';
import { ListView } from './list-view.tsx';
import { LISTS, type ListedKind } from './lists.ts';
import { MoneyView } from './money-view.tsx';
import { RequestView } from './request-view.tsx';
import { ResourceView } from './resource-view.tsx';
import { addressOf, type PlaceRoute } from './route.ts';
import { WebhooksView } from './webhooks-view.tsx';

const KINDS: Readonly<Record<string, ListedKind>> = LISTS;

/** What the address names. */
export function PlaceView({ route }: { readonly route: PlaceRoute }) {
  const { gate, hasTestKit } = useDashboard();
  const [place = '', id] = route.path;
  // Without the test kit, requests are not logged.
  const kind = place === 'requests' && !hasTestKit ? undefined : KINDS[place];
  if (place === 'api') {
    return <ApiView route={route} />;
  }
  if (place === 'exam' && hasTestKit) {
    return <ExamView />;
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
  if (id === undefined) {
    return <ListView key={place} kind={kind} route={route} />;
  }
  return kind.getId === null ? (
    <RequestView key={id} id={id} />
  ) : (
    <ResourceView key={id} kind={kind} getId={kind.getId} id={id} />
  );
}
