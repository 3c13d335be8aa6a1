/// <reference lib="dom" />

import { ID_COLUMN, LISTS, type ListedKind, type ListedRow } from '../../story/lists.ts';
import type { PageOf } from '../../story/operation-id.ts';
import { addressOf, type DashboardRoute } from '../../story/route.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead } from '../call/use-read.ts';
import { showTexts } from '../show/show-texts.ts';
import { ProblemView } from '../show/shown-problem.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { CreateButton } from './create-button.tsx';
import { csvOf } from './csv.ts';
import { DataTable } from './data-table.tsx';
import { EventTable } from './event-table.tsx';
import { ExportAll } from './export-all.tsx';
import { FilterChips } from './filter-chips.tsx';
import { listQueryOf, setFilters, soughtNumber } from './list-query.ts';
import { listViewTexts } from './list-view-texts.ts';
import { useRowKeys } from './use-row-keys.ts';

interface ListProps {
  readonly kind: ListedKind;
  readonly route: DashboardRoute;
}

/** A list of resources: its filters and its page are in the address. */
export function ListView({ kind, route }: ListProps) {
  const { calls } = useDashboard();
  const operation = calls.operationOf(kind.listId);
  const { response } = useRead(kind.listId, { query: listQueryOf(operation, route.query) });
  const isEmpty = response?.body?.data.length === 0 && setFilters(operation, route.query).length === 0;
  useRowKeys();
  return (
    <article class="view" aria-label={kind.title}>
      <header class="view-head">
        <ViewHeading>{kind.title}</ViewHeading>
        {!isEmpty && <CreateButton kind={kind} />}
      </header>
      <ListSection kind={kind} route={route} />
    </article>
  );
}

/** The list alone, for a page that has more than it. */
export function ListSection({
  kind,
  route,
  hasFilters = true,
  limit,
}: ListProps & { readonly hasFilters?: boolean; readonly limit?: string }) {
  const { calls } = useDashboard();
  const operation = calls.operationOf(kind.listId);
  const { response, failure } = useRead(kind.listId, { query: listQueryOf(operation, route.query, limit) });
  return (
    <>
      {hasFilters && <FilterChips kind={kind} operation={operation} route={route} />}
      {failure !== null && <p class="problem">{failure}</p>}
      {response === null && failure === null && <p class="hint">{showTexts.reading}</p>}
      {response?.problem && <ProblemView problem={response.problem} />}
      {response?.body && <ListPage kind={kind} route={route} page={response.body} />}
    </>
  );
}

interface EmptyProps extends Pick<ListProps, 'kind'> {
  readonly path: DashboardRoute['path'];
  readonly isFiltered: boolean;
}

/** The one thing to do where a list is empty. */
function EmptyAction({ kind, path, isFiltered }: EmptyProps) {
  const link = isFiltered ? { label: listViewTexts.showAll, address: addressOf(path) } : kind.begin;
  return (
    <p class="tools">
      {link === undefined ? (
        <CreateButton kind={kind} />
      ) : (
        <a class="button" href={link.address}>
          {link.label}
        </a>
      )}
    </p>
  );
}

interface PageProps extends ListProps {
  readonly page: PageOf<ListedRow>;
}

function ListPage({ kind, route: { path, query }, page }: PageProps) {
  const { calls } = useDashboard();
  const { after, ...filters } = query;
  const operation = calls.operationOf(kind.listId);
  const isFiltered = setFilters(operation, filters).length > 0;
  const sought = soughtNumber(operation, query);
  const data = sought === null ? page.data : page.data.filter(({ number }) => number === sought);
  const next = page.next_cursor;
  const isSoughtBelow = sought !== null && next !== null;
  return (
    <>
      {data.length === 0 ? (
        <div class="empty">
          <p>
            {isSoughtBelow
              ? listViewTexts.notAmong(sought, page.data.length)
              : isFiltered
                ? listViewTexts.noMatch
                : kind.emptyText}
          </p>
          <EmptyAction kind={kind} path={path} isFiltered={isFiltered} />
        </div>
      ) : (
        <>
          {kind.listId === LISTS.event.listId ? (
            <EventTable rows={data} />
          ) : (
            <DataTable label={kind.title} columns={kind.columns} rows={data} />
          )}
          <p class="tools">
            <a
              class="button small"
              download={`${kind.segment}.csv`}
              href={`data:text/csv;charset=utf-8,${encodeURIComponent(csvOf([...kind.columns, ID_COLUMN], data))}`}
            >
              {listViewTexts.exportAs(data.length)}
            </a>
            <ExportAll kind={kind} query={listQueryOf(operation, filters)} />
          </p>
        </>
      )}
      {(after !== undefined || next !== null) && (
        <nav class="tools paging" aria-label={listViewTexts.pages.label(kind.title)}>
          {after !== undefined && (
            <a class="button small" href={addressOf(path, filters)}>
              {listViewTexts.pages.newest}
            </a>
          )}
          {next !== null && (
            <a class="button small" href={addressOf(path, { ...filters, after: next })}>
              {listViewTexts.pages.older}
            </a>
          )}
        </nav>
      )}
    </>
  );
}
