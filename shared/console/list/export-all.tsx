/// <reference lib="dom" />
import { useRef, useState } from 'preact/hooks';
import { ID_COLUMN, type ListedKind, type ListedRow } from '../../story/lists.ts';
import type { PageOf } from '../../story/operation-id.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import type { GateResponse } from '../call/gate.ts';
import { download } from '../show/download.ts';
import { csvOf, csvRows } from './csv.ts';
import { listViewTexts } from './list-view-texts.ts';

const texts = listViewTexts.export;
const PAGE_LIMIT = '100';

interface ExportProps {
  readonly kind: ListedKind;
  /** The filters of the list. */
  readonly query: Readonly<Record<string, string>>;
}

/** Exports everything that a list's filters find: page by page, so that the browser holds the text alone. */
export function ExportAll({ kind, query }: ExportProps) {
  const { calls } = useDashboard();
  const [count, setCount] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isWanted = useRef(false);
  const columns = [...kind.columns, ID_COLUMN];
  const run = async () => {
    isWanted.current = true;
    setFailure(null);
    const parts = [csvOf(columns, [])];
    let after: string | null = '';
    for (let read = 0; after !== null && isWanted.current; ) {
      setCount(read);
      const page = { ...query, limit: PAGE_LIMIT, ...(after !== '' && { after }) };
      const { body, problem } = (await calls.send(kind.listId, { query: page })) as GateResponse<
        PageOf<ListedRow>
      >;
      if (body === null) {
        throw new Error(problem?.detail ?? problem?.title ?? texts.failed);
      }
      parts.push(csvRows(columns, body.data));
      read += body.data.length;
      after = body.next_cursor;
    }
    if (isWanted.current) {
      download(`${kind.segment}.csv`, 'text/csv;charset=utf-8', parts);
    }
  };
  const begin = () =>
    void run()
      .catch((error: Error) => setFailure(error.message))
      .finally(() => setCount(null));
  return count === null ? (
    <>
      <button type="button" class="small" onClick={begin}>
        {texts.all}
      </button>
      {failure !== null && <span class="error">{failure}</span>}
    </>
  ) : (
    <span class="tools" role="status">
      <progress aria-label={texts.all} />
      {texts.read(count)}
      <button
        type="button"
        class="small"
        onClick={() => {
          isWanted.current = false;
        }}
      >
        {texts.cancel}
      </button>
    </span>
  );
}
