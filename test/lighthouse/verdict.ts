/** The categories that are judged, each from 0 to 1. */
export const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
export type Category = (typeof CATEGORIES)[number];

const SCORE_MIN = 0.95;
/** From this score on, an audit counts as passed. */
const AUDIT_PASSED_MIN = 0.9;
/** Shows at most this many findings of an audit. */
const FOUND_MAX = 3;

/** What is used of a report of Lighthouse. */
export interface Report {
  readonly categories: Readonly<
    Partial<
      Record<
        Category,
        { readonly score: number | null; readonly auditRefs: readonly { readonly id: string }[] }
      >
    >
  >;
  readonly audits: Readonly<Record<string, Audit>>;
}

interface Audit {
  readonly title: string;
  /** Of an audit that measures: milliseconds, or bytes. */
  readonly numericValue?: number;
  /** Null where it does not apply, or only informs. */
  readonly score: number | null;
  readonly displayValue?: string;
  readonly details?: { readonly items?: unknown };
}

/** What an audit found, and where. */
interface AuditItem {
  readonly node?: { readonly snippet: string };
  readonly description?: string;
  readonly url?: string;
}

export interface PageVerdict {
  readonly scores: Readonly<Record<Category, number>>;
  /** When the largest thing of the page was there, in milliseconds. */
  readonly largestPaintMs: number;
  readonly isPassed: boolean;
  /** The audits that did not pass, in words. */
  readonly failing: readonly string[];
}

/**
 * Judges a page by several runs. Performance has the best of its scores: whatever else the machine does can only make a
 * page slower than it is. The other categories do not depend on time, and have the worst of theirs.
 * @param paintMaxMs when the largest thing of the page has to be there
 */
export function judgePage(
  reports: readonly Report[],
  paintMaxMs: number = Number.POSITIVE_INFINITY,
): PageVerdict {
  const scores = Object.fromEntries(
    CATEGORIES.map((category) => {
      const found = reports.map((report) => scoreOf(report, category));
      return [category, category === 'performance' ? Math.max(...found) : Math.min(...found)];
    }),
  ) as Record<Category, number>;
  const largestPaintMs = Math.min(...reports.map(paintOf));
  return {
    scores,
    largestPaintMs,
    isPassed: CATEGORIES.every((category) => scores[category] >= SCORE_MIN) && largestPaintMs <= paintMaxMs,
    // Each once, though it failed in several runs.
    failing: [...new Map(reports.flatMap(failingOf)).values()],
  };
}

/** A category without a score, such as that of a page that did not load, has none of its points. */
function scoreOf({ categories }: Report, category: Category): number {
  return categories[category]?.score ?? 0;
}

function paintOf({ audits }: Report): number {
  return audits['largest-contentful-paint']?.numericValue ?? Number.POSITIVE_INFINITY;
}

/** The audits of a report that did not pass, by their ids. */
function failingOf({ categories, audits }: Report): [string, string][] {
  const ids = CATEGORIES.flatMap((category) => categories[category]?.auditRefs.map(({ id }) => id) ?? []);
  return ids.flatMap((id) => {
    const audit = audits[id];
    if (audit === undefined || audit.score === null || audit.score >= AUDIT_PASSED_MIN) {
      return [];
    }
    const items: AuditItem[] = Array.isArray(audit.details?.items) ? audit.details.items : [];
    const found = items.flatMap(({ node, url, description }) => node?.snippet ?? description ?? url ?? []);
    const words = [`${id}: ${audit.title}`, audit.displayValue, ...found.slice(0, FOUND_MAX)];
    return [[id, words.filter(Boolean).join(' · ')]];
  });
}
