/// <reference lib="dom" />
import { useEffect, useRef, useState } from 'preact/hooks';
import { grouped } from '../../story/amounts.ts';
import { LISTS } from '../../story/lists.ts';
import type { RowOf } from '../../story/operation-id.ts';
import { readOf } from '../../story/read-request.ts';
import { addressOf } from '../../story/route.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { useReads } from '../call/use-read.ts';
import { showTexts } from '../show/show-texts.ts';
import { refusalOf } from '../show/shown-problem.tsx';
import { ShownText } from '../show/shown-text.tsx';
import { nameOfStatus } from '../show/status-names.ts';
import { ViewHeading } from '../show/view-heading.tsx';
import { Facts } from './resource-view.tsx';
import { storyViewTexts } from './story-view-texts.ts';

const texts = storyViewTexts.request;
const BODIES = [
  ['request_body', texts.sent],
  ['response_body', texts.received],
] as const;

const PAGE = { limit: '100' };
const PAGES_MAX = 10;
/** How many requests are looked through. */
const SEARCHED = grouped(PAGES_MAX * Number(PAGE.limit));

/** One request of the log: what was sent, what the service responded, and where a problem is explained. */
export function RequestView({ id }: { readonly id: string }) {
  const { request, refusal, isSearching } = useLoggedRequest(id);
  return (
    <article class="view" aria-label={texts.title}>
      <p class="hint">
        <a href={addressOf([LISTS.request.segment])}>{LISTS.request.title}</a>
      </p>
      <header class="view-head">
        <ViewHeading>{request ? `${request.method} ${request.path}` : id}</ViewHeading>
      </header>
      {isSearching && <p class="hint">{showTexts.reading}</p>}
      {!isSearching && !request && <p class="empty">{refusal ?? texts.notFound(SEARCHED)}</p>}
      {request && <RequestFacts request={request} />}
    </article>
  );
}

type Logged = RowOf<'testkit.ListRequests'>;

/** Finds a request in the log, from its newest page on. */
function useLoggedRequest(id: string) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const pages = useReads([
    readOf(LISTS.request.listId, { query: PAGE }, cursors.length > 0 ? 'steady' : 'lively'),
    ...cursors.map((after) => readOf(LISTS.request.listId, { query: { ...PAGE, after } }, 'steady')),
  ]);
  const found = pages.flatMap(({ response }) => response?.body?.data ?? []).find((one) => one.id === id);
  // What was found stays, though newer requests move it to a later page.
  const kept = useRef<Logged | null>(null);
  kept.current = found ?? kept.current;
  const last = pages.at(-1);
  const next = last?.response?.body?.next_cursor ?? null;
  const goesOn = kept.current === null && next !== null && pages.length < PAGES_MAX;
  useEffect(() => {
    if (goesOn && next !== null) {
      setCursors([...cursors, next]);
    }
  }, [goesOn, next]);
  const isRead = last?.failure != null || last?.response != null;
  return {
    request: kept.current,
    refusal: last?.failure ?? (last?.response == null ? null : refusalOf(last.response)),
    isSearching: kept.current === null && (!isRead || goesOn),
  };
}

function RequestFacts({ request }: { readonly request: Logged }) {
  const { root } = useDashboard();
  const { status, code, replayed, request_body: _sent, response_body: _received, ...facts } = request;
  return (
    <>
      <p class="outcome">
        <span class={`status s${Math.floor(status / 100)}`}>
          {status} {nameOfStatus(status)}
        </span>
        {replayed && <span class="badge">{texts.replayed}</span>}
        {code !== null && (
          <a href={`${root}/errors/${encodeURIComponent(code)}`} target="_blank" rel="noreferrer">
            {showTexts.problem.meaning(code)}
          </a>
        )}
      </p>
      <Facts json={facts} />
      {BODIES.map(([field, name]) => {
        const text = request[field];
        return text === null ? null : (
          <ShownText key={field} name={name} text={text} shown={formatted(text)} />
        );
      })}
    </>
  );
}

/** JSON on lines of its own; a body that the log has cut off stays as it is. */
function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
