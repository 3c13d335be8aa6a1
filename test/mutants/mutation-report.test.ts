import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareSurvivors, scoreOf, survivorsOf } from './mutation-report.ts';
import { SURVIVORS } from './survivors.ts';

const at = (line: number, column: number, endLine: number, endColumn: number) => ({
  start: { line, column },
  end: { line: endLine, column: endColumn },
});
const report = {
  files: {
    'a.ts': {
      source: 'const one = 1 + 2;\nif (one) {\n  stop();\n}\n',
      mutants: [
        { status: 'Killed', replacement: '1 - 2', location: at(1, 13, 1, 18) },
        { status: 'Timeout', replacement: 'false', location: at(2, 5, 2, 8) },
        { status: 'Survived', replacement: 'true', location: at(2, 5, 2, 8) },
        { status: 'NoCoverage', replacement: '{}', location: at(2, 10, 4, 2) },
        { status: 'RuntimeError', replacement: '""', location: at(1, 1, 1, 2) },
      ],
    },
  },
};
const survivors = survivorsOf(report);

describe('a report of mutants', () => {
  it('counts those that no test runs as survivors, and leaves out those that cannot be run', () => {
    expect(scoreOf(report)).toEqual({ detected: 2, all: 4 });
  });

  it('names each survivor by its file, its line and what was replaced', () => {
    expect(survivors).toEqual([
      { file: 'a.ts', line: 2, mutant: 'one → true' },
      { file: 'a.ts', line: 2, mutant: '{ stop(); } → {}' },
    ]);
  });

  it('names a long piece of code by its start', () => {
    const source = `stop(\n  ${'a'.repeat(80)})`;
    const mutants = [{ status: 'Survived', replacement: '""', location: at(1, 1, 2, 84) }];
    expect(survivorsOf({ files: { 'a.ts': { source, mutants } } })).toEqual([
      { file: 'a.ts', line: 1, mutant: `stop( ${'a'.repeat(64)}… → ""` },
    ]);
  });

  it('has an explanation for as many survivors as it names, and for no other', () => {
    const explained = { file: 'a.ts', why: '', mutants: ['one → true', '{ stop(); } → {}'] };
    expect(compareSurvivors(survivors, [explained])).toEqual({ unexplained: [], gone: [] });
    const twice = [...survivors, ...survivors.slice(0, 1)];
    expect(compareSurvivors(twice, [explained]).unexplained).toEqual(survivors.slice(0, 1));
    expect(compareSurvivors(survivors, [{ ...explained, file: 'b.ts' }])).toEqual({
      unexplained: survivors,
      gone: ['b.ts: one → true', 'b.ts: { stop(); } → {}'],
    });
    expect(compareSurvivors(survivors.slice(1), [explained]).gone).toEqual(['a.ts: one → true']);
  });
});

describe('the list of survivors', () => {
  it.each(SURVIVORS)('names code that $file has, and says why', ({ file, mutants, why }) => {
    const code = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
    const originals = mutants.map((mutant) => mutant.split(' → ')[0]?.replace(/…$/, '') ?? '');
    expect(originals.filter((original) => !code.includes(original))).toEqual([]);
    expect(why).not.toBe('');
  });
});
