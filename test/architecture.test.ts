import { globSync, readFileSync } from 'node:fs';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import { describe, expect, it } from 'vitest';
import { linesOf, parseFile, rootOf } from './support/tools/syntax.ts';

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

  it('has no circle of rooms inside a room, except that a seed writes as everything is written', () => {
    const circles = ['infra', 'shared/console', 'shared/store'].flatMap((room) => {
      const beneath = importsInside(room);
      return [...beneath].flatMap(([inner, others]) =>
        [...others]
          .filter((other) => isReached(inner, other, beneath))
          .map((other) => `${room}: ${inner} → ${other}`),
      );
    });
    expect(circles.toSorted()).toEqual(['shared/store: testkit → writes', 'shared/store: writes → testkit']);
  });

  it('imports files by their full name', () => {
    const relative = modules.flatMap(({ dependencies }) => dependencies.map(({ module }) => module));
    expect(relative.filter((name) => name.startsWith('.') && !/\.(tsx?|json)$/.test(name))).toEqual([]);
  });

  it('allows imports of computed paths only where the local host loads its functions', () => {
    // It also finds an `import('…')` within a type, which the parser does not follow.
    const unreadable = /\bimport\((?!(['"])[^'"]+\1\)(?!\.))/;
    expect(files.filter((file) => unreadable.test(readFileSync(file, 'utf8')))).toEqual([
      'infra/local/function.ts',
    ]);
  });

  it('casts no value twice', () => {
    const twice = /\bas (?:unknown|never|any)\)? as\b/;
    expect(files.filter((file) => twice.test(readFileSync(file, 'utf8')))).toEqual([]);
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

/** What is longer is not read at once. */
const FILE_LINES_MAX = 500;
const GROUP_LINES_MAX = 200;

describe('the tests', () => {
  it('lie in files of at most 500 lines, and in groups of at most 200', { tags: 'slow' }, () => {
    const sizes = globSync('test/**/*.test.ts').flatMap((file) => {
      const statements = parseFile(file);
      const groups = linesOf(file, statements).filter((_, nth) => /^describe/.test(rootOf(statements[nth])));
      const lines = readFileSync(file, 'utf8').split('\n').length - 1;
      return [
        { of: file, lines, max: FILE_LINES_MAX },
        ...groups.map((size) => ({ of: `a group of ${file}`, lines: size, max: GROUP_LINES_MAX })),
      ];
    });
    expect(sizes.length).toBeGreaterThan(700);
    expect(sizes.filter(({ lines, max }) => lines > max)).toEqual([]);
  });
});

/** What each room inside a room imports of the others. */
function importsInside(room: string): ReadonlyMap<string, ReadonlySet<string>> {
  const innerOf = (file: string) => new RegExp(`^${room}/([a-z-]+)`).exec(file)?.[1];
  const beneath = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const inner = innerOf(source);
    for (const other of dependencies.map(({ resolved }) => innerOf(resolved))) {
      if (inner !== undefined && other !== undefined && other !== inner) {
        beneath.set(inner, (beneath.get(inner) ?? new Set()).add(other));
      }
    }
  }
  return beneath;
}

/** Whether imports lead to a room from another one. */
function isReached(sought: string, from: string, beneath: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set([from]);
  for (const each of seen) {
    for (const next of beneath.get(each) ?? []) {
      seen.add(next);
    }
  }
  return seen.has(sought);
}

/** Where the code and its tests cite something. */
function cite(citation: RegExp) {
  return [...files, ...globSync('test/**/*.ts')].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(citation)].map(([text, number]) => ({ file, text, number })),
  );
}
