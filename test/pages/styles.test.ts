import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REPORT_STYLE } from '../../infra/exam/html-report-style.ts';
import { readStyle } from '../../shared/pages/read-style.ts';

const TOKENS = readFileSync('shared/pages/tokens.css', 'utf8');
const SHEETS = globSync(['shared/{console,docs,pages}/**/*.css', 'infra/exam/*.css']).filter(
  (file) => !file.endsWith('tokens.css'),
);
const SIZE = /^(?:600 )?var\(--f(?:12|13|14|16|20|28)\)|^inherit$/;
/** What is no step of the scale: lines of a pixel or two, and what is computed of steps. */
const SPACE = /var\(--(?:s(?:4|8|12|16|24|32|48)|foot)\)|calc\(.+\)|(?<![\w.])-?(?:0|[12]px|auto)(?![\w.])/g;

/** The values of properties in a style sheet. */
function valuesOf(css: string, properties: string): string[] {
  return [...css.matchAll(new RegExp(`(?<![\\w-])(?:${properties}): ([^;}]+)`, 'g'))].map(([, value]) =>
    String(value),
  );
}

test.each(SHEETS)('%s has six sizes, two weights and one scale of spacing', (file) => {
  const css = readFileSync(file, 'utf8');
  expect(valuesOf(css, 'font|font-size').filter((value) => !SIZE.test(value))).toEqual([]);
  expect(valuesOf(css, 'font-weight').filter((value) => !['400', '600'].includes(value))).toEqual([]);
  const spaces = valuesOf(css, '(?:padding|margin)(?:-\\w+)?|(?:row-|column-)?gap');
  expect(spaces.filter((value) => value.replace(SPACE, '').trim() !== '')).toEqual([]);
});

test('every colour and size that a style names is a token', () => {
  for (const file of SHEETS) {
    const css = readFileSync(file, 'utf8');
    const named = [...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => String(name));
    const own = [...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => String(name));
    const unknown = named.filter((name) => !TOKENS.includes(`${name}:`) && !own.includes(name));
    expect(unknown, file).toEqual([]);
  }
});

test('a page has the tokens before its own style, without comments', () => {
  for (const style of [readStyle('pages/page.css'), REPORT_STYLE]) {
    expect(style.indexOf('--f28:')).toBeGreaterThan(-1);
    expect(style.indexOf('--f28:')).toBeLessThan(style.indexOf('main {'));
    expect(style).not.toMatch(/\/\*/);
  }
});
