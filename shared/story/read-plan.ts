import type { BodyOf, ListId, OperationId, RowOf } from './operation-id.ts';
import type { BodyReader, Pace, ReadRequest } from './read-request.ts';

/** The rows of a list, newest first. */
interface ListedRows<Row> {
  readonly rows: readonly Row[];
  /** Whether nothing older is in the list. */
  readonly isWhole: boolean;
}

const LIMIT = { limit: '100' };
/** The most pages that are read of a list. */
const PAGES_MAX = 5;

/**
 * Reads that depend on one another: what one has brought says what is read next. A plan is made again, with all that is
 * known, until nothing more is asked for.
 */
export function createReadPlan(bodyOf: BodyReader) {
  const requests: ReadRequest[] = [];

  function read<Id extends OperationId>(request: ReadRequest<Id>): BodyOf<Id> | null {
    requests.push({ pace: 'steady', ...request });
    return bodyOf(request);
  }

  /** The first page of a list. @param paceOf how often it is read again, by what is in it */
  function newest<Id extends ListId>(
    request: ReadRequest<Id>,
    paceOf: (rows: readonly RowOf<Id>[]) => Pace = () => 'steady',
  ): readonly RowOf<Id>[] {
    const listed: ReadRequest<Id> = { ...request, query: { ...LIMIT, ...request.query } };
    const rows: readonly RowOf<Id>[] = bodyOf(listed)?.data ?? [];
    requests.push({ ...listed, pace: paceOf(rows) });
    return rows;
  }

  /** @param isEnough whether the rows so far do without what is older */
  function pages<Id extends ListId>(
    request: ReadRequest<Id>,
    isEnough: (rows: readonly RowOf<Id>[]) => boolean = () => false,
  ): ListedRows<RowOf<Id>> {
    const rows: RowOf<Id>[] = [];
    let after: Readonly<Record<string, string>> = {};
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const next = { ...request, query: { ...LIMIT, ...request.query, ...after } };
      read(next);
      const body = bodyOf(next);
      if (body === null) {
        break;
      }
      rows.push(...body.data);
      if (body.next_cursor === null) {
        return { rows, isWhole: true };
      }
      if (isEnough(rows)) {
        break;
      }
      after = { after: body.next_cursor };
    }
    return { rows, isWhole: false };
  }

  return { requests, read, newest, pages };
}
