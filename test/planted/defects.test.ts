import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nearestTestOf, plantInto, ROOT } from './defect.ts';
import { DEFECTS } from './defects.ts';
import { INTERLEAVINGS } from './interleavings.ts';

const NOT_IN_NPM_TEST = /\.(load|browser|stripe)\.test\.ts$|^test\/(faults|scenarios|deployed)\//;

describe('the list of planted defects', () => {
  it('has at least 71 defects, each with an id of its own', () => {
    expect(new Set(DEFECTS.map(({ id }) => id)).size).toBe(DEFECTS.length);
    expect(DEFECTS.length).toBeGreaterThanOrEqual(71);
  });

  it('has more than twenty of order, crash and time, each with an id of its own', () => {
    const ids = [...DEFECTS, ...INTERLEAVINGS].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(INTERLEAVINGS.length).toBeGreaterThan(20);
  });

  it.each([...DEFECTS, ...INTERLEAVINGS])(
    '$id can be planted: its file has the old text exactly once',
    (defect) => {
      const text = readFileSync(path.join(ROOT, defect.file), 'utf8');
      expect(plantInto(text, defect)).not.toBe(text);
    },
  );

  it.each(DEFECTS)('$id is to be caught by a test file of npm test', (defect) => {
    const near = nearestTestOf(defect);
    expect(existsSync(path.join(ROOT, near)), near).toBe(true);
    expect(near).not.toMatch(NOT_IN_NPM_TEST);
  });

  it('is judged whole in CAUGHT.md: each was caught by a law, or the reason is said', () => {
    const table = readFileSync(path.join(import.meta.dirname, 'CAUGHT.md'), 'utf8');
    const missing = [...DEFECTS, ...INTERLEAVINGS].filter(({ id }) => !table.includes(`\`${id}\``));
    expect(missing).toEqual([]);
    expect(table).not.toContain('not explained');
  });

  it('refuses a row whose old text is not in the file, or is there twice', () => {
    const row = { id: 'x', file: 'f.ts', old: 'a', planted: 'b', shows: '' };
    expect(plantInto('cad', row)).toBe('cbd');
    expect(() => plantInto('dd', row)).toThrow('f.ts has its old text 0 times');
    expect(() => plantInto('aa', row)).toThrow('f.ts has its old text 2 times');
  });
});
