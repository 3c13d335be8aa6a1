import { LIST_OF_SEGMENT, LISTS } from '../../story/lists.ts';
import { addressOf, type DashboardRoute, hasSection } from '../../story/route.ts';
import { ApiView } from '../act/api-view.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { ListView } from '../list/list-view.tsx';
import { SearchView } from '../list/search-view.tsx';
import { HomeView } from '../money/home-view.tsx';
import { MoneyView } from '../money/money-view.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { EventView } from '../story/event-view.tsx';
import { RequestView } from '../story/request-view.tsx';
import { ResourceView } from '../story/resource-view.tsx';
import { EndpointView } from '../webhooks/endpoint-view.tsx';
import { ExamView } from '../webhooks/exam-view.tsx';
import { WebhooksView } from '../webhooks/webhooks-view.tsx';
import { frameTexts } from './frame-texts.ts';

/** What the address names. */
export function RouteView({ route }: { readonly route: DashboardRoute }) {
  const { gate, hasTestKit } = useDashboard();
  const [segment = '', id] = route.path;
  const isThere = hasSection(segment, hasTestKit);
  const kind = isThere ? LIST_OF_SEGMENT.get(segment) : undefined;
  if (segment === 'api') {
    return <ApiView route={route} />;
  }
  if (segment === 'exam' && isThere) {
    return <ExamView />;
  }
  if (!gate.isOpen()) {
    return null;
  }
  if (segment === '') {
    return <HomeView />;
  }
  if (segment === 'search') {
    return <SearchView key={route.query.q} text={route.query.q ?? ''} />;
  }
  if (segment === 'money') {
    return <MoneyView />;
  }
  if (segment === 'webhooks') {
    return id === undefined ? <WebhooksView /> : <EndpointView key={id} id={id} />;
  }
  if (kind === undefined) {
    return (
      <article class="view" aria-label={frameTexts.nowhere.label}>
        <ViewHeading>{frameTexts.nowhere.title}</ViewHeading>
        <p>
          <a href={addressOf([])}>{frameTexts.sections['']}</a>
        </p>
      </article>
    );
  }
  if (id === undefined) {
    return <ListView key={segment} kind={kind} route={route} />;
  }
  if (kind.getId === LISTS.event.getId) {
    return <EventView key={id} id={id} />;
  }
  return kind.getId === null ? (
    <RequestView key={id} id={id} />
  ) : (
    <ResourceView key={id} kind={kind} getId={kind.getId} id={id} />
  );
}
