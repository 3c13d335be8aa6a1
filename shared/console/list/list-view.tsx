/// <reference lib="dom" />

import type { ListedKind, ListedRow } from '../../story/lists.ts';
import type { PageOf } from '../../story/operation-id.ts';
import { addressOf, type DashboardRoute } from '../../story/route.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead } from '../call/use-read.ts';
import { ProblemView } from '../show/shown-problem.tsx';
import { csvOf } from './csv.ts';
import { DataTable } from './data-table.tsx';
import { FilterChips } from './filter-chips.tsx';
import { listQueryOf, setFilters, soughtNumber } from './list-query.ts';
import { useRowKeys } from './use-row-keys.ts';

interface ListProps {
  readonly kind: ListedKind;
  readonly route: DashboardRoute;
}

/** A list of resources: its filters and its page are in the address. */
export function ListView({ kind, route }: ListProps) {
  useRowKeys();
  return (
    <article class="view" aria-label={kind.title}>
      <header class="view-head">
        <h2 tabIndex={-1}>{kind.title}</h2>
        <p class="hint keys">j and k move through the rows, Enter opens one</p>
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
      {hasFilters && <FilterChips operation={operation} route={route} />}
      {failure !== null && <p class="problem">{failure}</p>}
      {response === null && failure === null && <p class="hint">Reading …</p>}
      {response?.problem && <ProblemView problem={response.problem} />}
      {response?.body && <ListPage kind={kind} route={route} page={response.body} />}
    </>
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
        <p class="empty">
          {isSoughtBelow
            ? `${sought} is not among these ${page.data.length}. Older ones may have it.`
            : isFiltered
              ? 'Nothing matches these filters.'
              : kind.emptyText}
        </p>
      ) : (
        <>
          <DataTable label={kind.title} columns={kind.columns} rows={data} />
          <p class="tools">
            <a
              class="button small"
              download={`${kind.segment}.csv`}
              href={`data:text/csv;charset=utf-8,${encodeURIComponent(csvOf(kind.columns, data))}`}
            >
              CSV of these {data.length}
            </a>
          </p>
        </>
      )}
      {(after !== undefined || next !== null) && (
        <nav class="tools paging" aria-label={`Pages of ${kind.title.toLowerCase()}`}>
          {after !== undefined && (
            <a class="button small" href={addressOf(path, filters)}>
              Newest
            </a>
          )}
          {next !== null && (
            <a class="button small" href={addressOf(path, { ...filters, after: next })}>
              Older
            </a>
          )}
        </nav>
      )}
    </>
  );
}
