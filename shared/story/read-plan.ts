import type { AnyJson } from './any-json.ts';
import type { Pace, ReadRequest } from './read-request.ts';

/** What the service responds to a read: null if that is not there yet, or a refusal. */
export type AnswerTo = (request: ReadRequest) => AnyJson;

/** The rows of a list, newest first. */
interface ListedRows {
  readonly rows: readonly AnyJson[];
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
export function createReadPlan(answerTo: AnswerTo) {
  const requests: ReadRequest[] = [];

  function read(request: ReadRequest): AnyJson {
    const steady: ReadRequest = { pace: 'steady', ...request };
    requests.push(steady);
    return answerTo(steady);
  }

  /** The first page of a list. @param paceOf how often it is read again, by what is in it */
  function newest(
    request: ReadRequest,
    paceOf: (rows: readonly AnyJson[]) => Pace = () => 'steady',
  ): readonly AnyJson[] {
    const listed = { ...request, query: { ...LIMIT, ...request.query } };
    const rows: readonly AnyJson[] = answerTo(listed)?.data ?? [];
    requests.push({ ...listed, pace: paceOf(rows) });
    return rows;
  }

  /** @param isEnough whether the rows so far do without what is older */
  function pages(
    request: ReadRequest,
    isEnough: (rows: readonly AnyJson[]) => boolean = () => false,
  ): ListedRows {
    const rows: AnyJson[] = [];
    let after: Readonly<Record<string, string>> = {};
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const json = read({ ...request, query: { ...LIMIT, ...request.query, ...after } });
      if (json === null) {
        break;
      }
      rows.push(...json.data);
      if (json.next_cursor === null) {
        return { rows, isWhole: true };
      }
      if (isEnough(rows)) {
        break;
      }
      after = { after: json.next_cursor };
    }
    return { rows, isWhole: false };
  }

  return { requests, read, newest, pages };
}
