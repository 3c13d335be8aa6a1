/// <reference lib="dom" />
import { useDashboard } from './dashboard-context.ts';
import type { AnyJson } from './gate.ts';
import { LISTS } from './lists.ts';
import { Facts } from './resource-view.tsx';
import { addressOf } from './route.ts';
import { refusalOf } from './shown-problem.tsx';
import { ShownText } from './shown-text.tsx';
import { nameOfStatus } from './status-names.ts';
import { useRead } from './use-read.ts';

const BODIES = [
  ['request_body', 'Request'],
  ['response_body', 'Response'],
] as const;

/** One request of the log: what was sent, what was answered, and where a problem is explained. */
export function RequestView({ id }: { readonly id: string }) {
  const { answer } = useRead(LISTS.requests.listId, { query: { limit: '100' } });
  const request: AnyJson =
    answer?.status === 200 ? answer.json.data.find((one: AnyJson) => one.id === id) : null;
  return (
    <article class="view" aria-label="Request">
      <p class="hint">
        <a href={addressOf([LISTS.requests.place])}>{LISTS.requests.title}</a>
      </p>
      <header class="view-head">
        <h2 tabIndex={-1}>{request ? `${request.method} ${request.path}` : id}</h2>
      </header>
      {answer === null && <p class="hint">Reading …</p>}
      {answer !== null && !request && (
        <p class="empty">{refusalOf(answer) ?? 'It is not among the newest 100 requests of this world.'}</p>
      )}
      {request && <RequestFacts request={request} />}
    </article>
  );
}

function RequestFacts({ request }: { readonly request: AnyJson }) {
  const { root } = useDashboard();
  const { status, code, replayed, request_body: _sent, response_body: _answered, ...facts } = request;
  return (
    <>
      <p class="outcome">
        <span class={`status s${Math.floor(status / 100)}`}>
          {status} {nameOfStatus(status)}
        </span>
        {replayed && <span class="badge">replayed</span>}
        {code !== null && (
          <a href={`${root}/errors/${encodeURIComponent(code)}`} target="_blank" rel="noreferrer">
            What {code} means
          </a>
        )}
      </p>
      <Facts json={facts} />
      {BODIES.map(([field, name]) =>
        request[field] === null ? null : (
          <ShownText key={field} name={name} text={request[field]} shown={formatted(request[field])} />
        ),
      )}
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
