import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { docsOf } from '../../shared/contract/docs.ts';
import { allOperations, withoutTestKit } from '../../shared/contract/operations.ts';
import { functionNames } from '../support/tools/bundle.ts';
import { AT_REST } from './cost.ts';
import { LIMITS, limitTable, measuredIn } from './limits.ts';

const text = readFileSync(new URL('FIGURES.md', import.meta.url), 'utf8');

/** The part of the page that a section of the bench prints. */
function sectionOf(name: string): string {
  return text.split(`<!-- bench: ${name} -->`)[1]?.split(`<!-- /bench: ${name} -->`)[0] ?? '';
}

describe('the page of figures is of today (npm run bench -- --figures renews it)', () => {
  test.each(Object.entries(LIMITS))(
    'has the limits of %s, and what stands between it and its goals',
    (name, limits) => {
      const lines = limitTable(limits, measuredIn(sectionOf(name)));
      // What was measured is in the last columns.
      const fixed = lines.map((line) =>
        line.startsWith('|') ? line.split('|').slice(0, 4).join('|') : line,
      );
      expect(fixed.filter((line) => !sectionOf(name).includes(line))).toEqual([]);
    },
  );

  test('counts every function once', () => {
    const counts = [...sectionOf('cold-start').matchAll(/^\| (\d+) \D+? \|/gm)].map(([, count]) =>
      Number(count),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(functionNames.length);
  });

  test('weighs libraries that the service has', () => {
    const libraries = [...sectionOf('cold-start').matchAll(/^\| `([^`]+)` \| \d/gm)].map(([, name]) =>
      String(name),
    );
    const known = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(libraries.length).toBeGreaterThan(8);
    expect(
      libraries.filter((name) => !known.some((one) => name === one || name.startsWith(`${one}/`))),
    ).toEqual([]);
  });

  test('has every operation of the merchant API', () => {
    const rows = withoutTestKit(allOperations).filter(({ permission }) => permission !== null);
    const summaries = rows.map((row) => docsOf(row).summary);
    expect(summaries.filter((summary) => !sectionOf('operations').includes(`| ${summary} |`))).toEqual([]);
  });

  test('counts every alarm', () => {
    expect(sectionOf('operations')).toContain(`| ${AT_REST.alarms} alarms × `);
  });
});
