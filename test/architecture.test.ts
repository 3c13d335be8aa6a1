import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  barrels,
  emptyNames,
  importCycles,
  importsOf,
  impureImports,
  type Sources,
  specifiersOf,
  UNREADABLE,
  unclearImports,
  wrongDirections,
} from './support/architecture-rules.ts';

const files = globSync('{shared,functions,infra}/**/*.ts').toSorted();
const sources: Sources = Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')]));
const imports = importsOf(sources);

describe('the house', () => {
  it('is read whole', () => {
    expect(files).toEqual(expect.arrayContaining(['shared/errors/problem.ts', 'infra/local/server.ts']));
    expect(files.filter((file) => file.startsWith('functions/')).length).toBeGreaterThan(10);
    expect(imports.length).toBeGreaterThan(files.length);
    expect(imports.filter(({ to }) => to !== null && !to.includes('$') && !files.includes(to))).toEqual([]);
  });

  it('imports in one direction: errors ← domain ← contract, store ← http, webhooks, pages ← functions, and client and infra apart', () => {
    expect(wrongDirections(imports)).toEqual([]);
  });

  it('loads functions in the local host alone', () => {
    const loaders = imports.filter(
      ({ from, to }) => to?.startsWith('functions/') && !from.startsWith('functions/'),
    );
    expect([...new Set(loaders.map(({ from }) => from))]).toEqual(['infra/local/function.ts']);
  });

  it('keeps the cloud out of errors, domain, contract and client', () => {
    expect(impureImports(imports)).toEqual([]);
  });

  it('loads the texts and examples of the document in the function that answers it, and nowhere else', () => {
    const loaders = (name: string) => imports.filter(({ to }) => to?.endsWith(name)).map(({ from }) => from);
    expect(loaders('/contract/openapi.ts')).toEqual(['functions/get-open-api.ts']);
    expect(loaders('/contract/descriptions.ts')).toEqual(['shared/contract/openapi.ts']);
    expect(loaders('/contract/examples.ts')).toEqual(['shared/contract/openapi.ts']);
  });

  it('has no import cycle, not even of types', () => {
    expect(importCycles(imports)).toEqual([]);
  });

  it('imports files by their full name, which can be read', () => {
    expect(unclearImports(imports)).toEqual([]);
  });

  it('has no barrel', () => {
    expect(barrels(sources)).toEqual([]);
  });

  it('has no file or folder with an empty name', () => {
    expect(emptyNames(files)).toEqual([]);
  });
});

/** The rules, shown on a house that is made up. */
describe('the rules of the house', () => {
  const oneImport = (from: string, specifier: string) =>
    importsOf({ [from]: `import { x } from '${specifier}';\n` });

  it.each([
    ["import { a } from './a.ts';", ['./a.ts']],
    ["import type { A } from './a.ts';", ['./a.ts']],
    ["import a, {\n  b,\n  type C,\n} from './a.ts';", ['./a.ts']],
    ["import * as a from 'a';", ['a']],
    ["import './a.ts';", ['./a.ts']],
    ["export * from './a.ts';", ['./a.ts']],
    ["export type { A } from './a.ts';", ['./a.ts']],
    ["const a = await import('./a.ts');", ['./a.ts']],
    ["let a: import('./a.ts').A;", ['./a.ts']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text that is read, not run
    ['await import(new URL(`../${name}.ts`, import.meta.url).href);', ['../${name}.ts']],
    ['await import(name);', [UNREADABLE]],
    ["// import { a } from './a.ts';", []],
    ["/** import { a } from './a.ts'; */", []],
    ["/*\n  import './a.ts';\n*/\nimport './b.ts';", ['./b.ts']],
    ["export const a = Array.from('abc');", []],
    ["const url = 'https://example.com'; import './a.ts'", []],
    ["import './a.ts';\nawait import('./c.ts');\nimport './b.ts';", ['./a.ts', './c.ts', './b.ts']],
  ])('read the imports of %j', (source, specifiers) => {
    expect(specifiersOf(source)).toEqual(specifiers);
  });

  it.each([
    ['shared/errors/a.ts', '../domain/b.ts', 'shared/domain/b.ts'],
    ['shared/domain/a.ts', '../contract/b.ts', 'shared/contract/b.ts'],
    ['shared/domain/a.ts', '../store/b.ts', 'shared/store/b.ts'],
    ['shared/contract/a.ts', '../store/table.ts', 'shared/store/table.ts'],
    ['shared/store/a.ts', '../contract/b.ts', 'shared/contract/b.ts'],
    ['shared/store/a.ts', '../http/b.ts', 'shared/http/b.ts'],
    ['shared/client/a.ts', '../domain/b.ts', 'shared/domain/b.ts'],
    ['shared/client/a.ts', '../store/table.ts', 'shared/store/table.ts'],
    ['shared/contract/a.ts', '../client/b.ts', 'shared/client/b.ts'],
    ['shared/jobs/a.ts', '../client/b.ts', 'shared/client/b.ts'],
    ['functions/a.ts', '../shared/client/b.ts', 'shared/client/b.ts'],
    ['infra/local/a.ts', '../../shared/client/b.ts', 'shared/client/b.ts'],
    ['shared/http/a.ts', '../../functions/b.ts', 'functions/b.ts'],
    ['shared/http/a.ts', '../../infra/b.ts', 'infra/b.ts'],
    ['shared/webhooks/a.ts', '../../functions/b.ts', 'functions/b.ts'],
    ['shared/pages/a.ts', '../store/b.ts', 'shared/store/b.ts'],
    ['shared/pages/a.ts', '../http/b.ts', 'shared/http/b.ts'],
    ['shared/contract/a.ts', '../pages/b.ts', 'shared/pages/b.ts'],
    ['infra/constructs/a.ts', '../../shared/pages/b.ts', 'shared/pages/b.ts'],
    ['functions/a.ts', '../infra/b.ts', 'infra/b.ts'],
    ['functions/a.ts', '../test/b.ts', 'test/b.ts'],
    ['infra/constructs/a.ts', '../../shared/store/item.ts', 'shared/store/item.ts'],
    ['infra/constructs/a.ts', '../../shared/domain/b.ts', 'shared/domain/b.ts'],
    ['infra/constructs/a.ts', '../../shared/http/b.ts', 'shared/http/b.ts'],
    ['infra/app.ts', '../functions/b.ts', 'functions/b.ts'],
    ['infra/cli/a.ts', '../../functions/b.ts', 'functions/b.ts'],
  ])('forbid %s to import %s', (from, specifier, to) => {
    expect(wrongDirections(oneImport(from, specifier))).toEqual([`${from} imports ${to}`]);
  });

  it.each([
    ['shared/domain/a.ts', '../errors/b.ts'],
    ['shared/contract/a.ts', '../domain/b.ts'],
    ['shared/store/a.ts', './b.ts'],
    ['shared/http/a.ts', '../store/b.ts'],
    ['shared/pages/a.ts', '../contract/b.ts'],
    ['functions/a.ts', '../shared/pages/b.ts'],
    ['shared/client/a.ts', '../contract/b.ts'],
    ['infra/cli/a.ts', '../../shared/client/b.ts'],
    ['functions/workers/a.ts', '../../shared/http/b.ts'],
    ['infra/constructs/a.ts', '../../shared/contract/b.ts'],
    ['infra/constructs/a.ts', '../../shared/store/table.ts'],
    ['infra/local/a.ts', '../../functions/b.ts'],
    ['infra/cli/a.ts', '../../shared/store/b.ts'],
    ['shared/errors/a.ts', 'node:path'],
  ])('allow %s to import %s', (from, specifier) => {
    expect(wrongDirections(oneImport(from, specifier))).toEqual([]);
  });

  it('see a wrong direction in a dynamic import too', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text that is read, not run
    const dynamic = importsOf({ 'infra/app.ts': 'await import(new URL(`../functions/${name}.ts`, here));' });
    expect(wrongDirections(dynamic)).toEqual([expect.stringMatching(/^infra\/app\.ts imports functions\//)]);
  });

  it('forbid the cloud in rows and rules, and allow it in the store', () => {
    const sdk = '@aws-sdk/client-dynamodb';
    expect(impureImports(oneImport('shared/contract/a.ts', sdk))).toEqual([
      `shared/contract/a.ts imports ${sdk}`,
    ]);
    expect(impureImports(oneImport('shared/store/a.ts', sdk))).toEqual([]);
  });

  it('find a cycle once, whichever file it is found from', () => {
    const cyclic = importsOf({
      'b.ts': "import { c } from './c.ts';",
      'c.ts': "import type { A } from './a.ts';",
      'a.ts': "import { b } from './b.ts';\nimport { d } from './d.ts';",
      'd.ts': "import { e } from './e.ts';",
      'e.ts': '',
    });
    expect(importCycles(cyclic)).toEqual(['a.ts → b.ts → c.ts → a.ts']);
  });

  it('find a file that imports itself, and no cycle where two ways lead to one file', () => {
    expect(importCycles(importsOf({ 'a.ts': "import './a.ts';" }))).toEqual(['a.ts → a.ts']);
    const diamond = {
      'a.ts': "import './b.ts';\nimport './c.ts';",
      'b.ts': "import './d.ts';",
      'c.ts': "import './d.ts';",
    };
    expect(importCycles(importsOf(diamond))).toEqual([]);
  });

  it.each(['./b', './b.js', '..', '../contract'])(
    'forbid an import of %s, which names no file',
    (specifier) => {
      expect(unclearImports(oneImport('shared/http/a.ts', specifier))).toEqual([
        `shared/http/a.ts imports ${specifier}`,
      ]);
    },
  );

  it('forbid an import that cannot be read', () => {
    expect(unclearImports(importsOf({ 'a.ts': 'await import(name);' }))).toEqual([
      `a.ts imports ${UNREADABLE}`,
    ]);
  });

  it.each([
    "export * from './b.ts';",
    "export { b } from './b.ts';",
    "export type {\n  B,\n} from './b.ts';",
  ])('forbid a barrel: %j', (source) => {
    expect(barrels({ 'a.ts': source, 'b.ts': 'export { c };\nexport const b = 1;' })).toEqual(['a.ts']);
  });

  it('forbid names that say nothing', () => {
    const empty = [
      'shared/utils.ts',
      'shared/helpers/a.ts',
      'infra/common.ts',
      'shared/domain/index.ts',
      'functions/base.ts',
    ];
    expect(emptyNames([...empty, 'shared/store/database.ts', 'infra/constructs/base-path.ts'])).toEqual(
      empty,
    );
  });
});
