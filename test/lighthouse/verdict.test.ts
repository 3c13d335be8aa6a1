import { describe, expect, test } from 'vitest';
import { judgePage, type Report } from './verdict.ts';

const alt = { title: 'Images have no alt', score: 0, details: { items: [{ node: { snippet: '<img>' } }] } };
const fast = { title: 'It is quick', score: 1 };

function report(performance: number | null, accessibility = 1, paintMs = 900): Report {
  const refs = (id: string) => [{ id }];
  return {
    categories: {
      performance: { score: performance, auditRefs: refs('fast') },
      accessibility: { score: accessibility, auditRefs: refs('alt') },
      'best-practices': { score: 1, auditRefs: refs('informs') },
    },
    audits: {
      fast,
      alt,
      informs: { title: 'It only informs', score: null },
      'largest-contentful-paint': { title: 'Largest paint', score: 1, numericValue: paintMs },
    },
  };
}

describe('the verdict on a page', () => {
  test('has the best performance of the runs, so that a busy machine fails nothing', () => {
    const { scores, isPassed } = judgePage([report(0.5), report(0.96), report(0.6)]);
    expect(scores.performance).toBe(0.96);
    expect(isPassed).toBe(true);
  });

  test.each([
    ['performance', [report(0.94), report(0.94), report(0.9)]],
    ['accessibility in one of the runs', [report(1), report(1, 0.94), report(1)]],
    ['a page that did not load', [report(null), report(null), report(null)]],
  ])('fails below 95: %s', (_what, reports) => {
    expect(judgePage(reports).isPassed).toBe(false);
  });

  test('fails a page that paints later than it may, in the best of its runs', () => {
    const late = [report(1, 1, 1_900), report(1, 1, 1_201)];
    expect(judgePage(late, 1_200)).toMatchObject({ largestPaintMs: 1_201, isPassed: false });
    expect(judgePage([...late, report(1, 1, 1_200)], 1_200).isPassed).toBe(true);
    expect(judgePage(late).isPassed).toBe(true);
  });

  test('names each audit that failed once, and where', () => {
    expect(judgePage([report(1), report(1)]).failing).toEqual(['alt: Images have no alt · <img>']);
  });
});
