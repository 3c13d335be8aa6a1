import { globSync, readFileSync } from 'node:fs';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import { describe, expect, it } from 'vitest';

const { options, ...ruleSet } = await extractDepcruiseConfig('./.dependency-cruiser.mjs');
const { output } = await cruise(['shared', 'functions', 'infra'], { ...options, ruleSet, validate: true });
const { modules, summary } = output as ICruiseResult;
const files = modules.map(({ source }) => source).filter((file) => /^(shared|functions|infra)\//.test(file));

describe('the house', () => {
  it('is read whole', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'shared/errors/problem.ts',
        'infra/local/server.ts',
        'functions/get-payment.ts',
        'shared/console/frame/app.tsx',
      ]),
    );
    expect(summary.totalDependenciesCruised).toBeGreaterThan(files.length);
  });

  it('imports as `.dependency-cruiser.mjs` says', () => {
    expect(
      summary.violations.map(
        ({ rule, from, to, cycle }) =>
          `${rule.name}: ${[from, ...(cycle?.map(({ name }) => name) ?? [to])].join(' → ')}`,
      ),
    ).toEqual([]);
  });

  it('imports files by their full name', () => {
    const relative = modules.flatMap(({ dependencies }) => dependencies.map(({ module }) => module));
    expect(relative.filter((name) => name.startsWith('.') && !/\.tsx?$/.test(name))).toEqual([]);
  });

  it('allows imports of computed paths only where the local host loads its functions', () => {
    // It also finds an `import('…')` within a type, which the parser does not follow.
    const unreadable = /\bimport\((?!(['"])[^'"]+\1\)(?!\.))/;
    expect(files.filter((file) => unreadable.test(readFileSync(file, 'utf8')))).toEqual([
      'infra/local/function.ts',
    ]);
  });

  it('reads indexes only in the module that drops forged entries', () => {
    expect(
      files.filter((file) => /^shared.*/.test(file) && /\bIndexName:/.test(readFileSync(file, 'utf8'))),
    ).toEqual(['shared/store/table/index-entries.ts']);
  });

  it('has no file or folder with a meaningless name such as `utils`', () => {
    expect(
      files.filter((file) => /\/(utils?|helpers?|commons?|managers?|base|index)(\/|\.tsx?$)/.test(file)),
    ).toEqual([]);
  });

  it('cites the contract by sections that exist', () => {
    const contract = readFileSync('shared/CONTRACT.md', 'utf8');
    const sections = new Set([...contract.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number));
    const cited = cite(/contract §(\d+)/g);
    expect(cited.length).toBeGreaterThan(150);
    expect(cited.filter(({ file }) => file.startsWith('test/')).length).toBeGreaterThan(15);
    expect(cited.filter(({ number }) => !sections.has(number))).toEqual([]);
  });

  it('cites no document that is not in the repository', () => {
    const interfaceInComment = /^\s*(?:\/?\*|\/\/).*(?:\bthe interface\b|\binterface[,:])/gim;
    expect([...cite(interfaceInComment), ...cite(/\bof the interface\b(?=.*=> \{)/g)]).toEqual([]);
  });
});

/** Where the code and its tests cite something. */
function cite(citation: RegExp) {
  return [...files, ...globSync('test/**/*.ts')].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(citation)].map(([text, number]) => ({ file, text, number })),
  );
}
