import path from 'node:path';

/** Source files by their path from the top of the repository. */
export type Sources = Readonly<Record<string, string>>;

/** One import, static or dynamic, of a value or of a type. */
export interface Import {
  readonly from: string;
  readonly specifier: string;
  /** The file that is meant, for a relative import; null for a package. */
  readonly to: string | null;
}

/** What an import is called whose target only a run would show. */
export const UNREADABLE = '(computed)';

/** What the files of each place may import. The first place that a path begins with counts. */
const MAY_IMPORT: readonly (readonly [place: string, targets: readonly string[]])[] = [
  ['shared/errors/', ['shared/errors/']],
  ['shared/domain/', ['shared/errors/', 'shared/domain/']],
  ['shared/contract/', ['shared/errors/', 'shared/domain/', 'shared/contract/']],
  ['shared/store/', ['shared/errors/', 'shared/domain/', 'shared/store/']],
  ['shared/providers/', ['shared/errors/', 'shared/domain/', 'shared/providers/']],
  [
    'shared/pages/',
    ['shared/errors/', 'shared/domain/', 'shared/contract/', 'shared/providers/', 'shared/pages/'],
  ],
  ['shared/client/', ['shared/errors/', 'shared/contract/', 'shared/client/']],
  ['shared/', ['shared/']],
  ['functions/', ['shared/', 'functions/']],
  ['infra/local/', ['shared/', 'functions/', 'infra/']],
  ['infra/cli/', ['shared/', 'infra/']],
  [
    'infra/',
    ['shared/errors/', 'shared/contract/', 'shared/store/table.ts', 'shared/store/keys.ts', 'infra/'],
  ],
];
/** The client is for those outside: the service itself does without it. */
const CLIENT_USERS = ['shared/client/', 'infra/cli/'];
/** Rows and rules are data: importing them needs no SDK and no environment. */
const PURE_PLACES = [
  'shared/errors/',
  'shared/domain/',
  'shared/contract/',
  'shared/pages/',
  'shared/client/',
];
const PLUMBING = /^(@aws-sdk|@aws-lambda-powertools|@middy|aws-cdk|aws-lambda|constructs)\b/;
const EMPTY_NAMES = /^(utils?|helpers?|commons?|managers?|base|index)$/;

/** Every import of every file. */
export function importsOf(sources: Sources): Import[] {
  return Object.entries(sources).flatMap(([from, source]) =>
    specifiersOf(source).map((specifier) => ({ from, specifier, to: resolve(from, specifier) })),
  );
}

/** The texts that a file imports from, in the order in which they stand there. */
export function specifiersOf(source: string): string[] {
  const code = withoutComments(source);
  const fixed = code.matchAll(/^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm);
  const bare = code.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm);
  const dynamic = code.matchAll(/\bimport\(\s*(?:new URL\(\s*)?(?:(['"`])(.*?)\1)?/g);
  return [
    ...[...fixed, ...bare].map((match) => ({ at: match.index, specifier: match[1] ?? UNREADABLE })),
    ...[...dynamic].map((match) => ({ at: match.index, specifier: match[2] ?? UNREADABLE })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map(({ specifier }) => specifier);
}

/** Imports against the direction of the house: left never imports right, and contract and store not one another. */
export function wrongDirections(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => to !== null && !mayImport(from, to))
    .map(({ from, to }) => `${from} imports ${to}`);
}

/** Imports of the cloud in places that must work without it. */
export function impureImports(imports: readonly Import[]): string[] {
  return imports
    .filter(
      ({ from, specifier }) =>
        PURE_PLACES.some((place) => from.startsWith(place)) && PLUMBING.test(specifier),
    )
    .map(({ from, specifier }) => `${from} imports ${specifier}`);
}

/** Imports whose target cannot be read, or that do not name a TypeScript file. */
export function unclearImports(imports: readonly Import[]): string[] {
  return imports
    .filter(({ specifier, to }) => specifier === UNREADABLE || (to !== null && !to.endsWith('.ts')))
    .map(({ from, specifier }) => `${from} imports ${specifier}`);
}

/** Rings of files that import one another, each told once, from the file that comes first in the alphabet. */
export function importCycles(imports: readonly Import[]): string[] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const cycles = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      cycles.add(ring(trail.slice(trail.indexOf(file))));
    } else if (!done.has(file)) {
      for (const { to } of next.get(file) ?? []) {
        if (to !== null) {
          visit(to, [...trail, file]);
        }
      }
      done.add(file);
    }
  };
  for (const file of next.keys()) {
    visit(file, []);
  }
  return [...cycles];
}

/** Files and folders whose name says nothing about what is in them. */
export function emptyNames(paths: readonly string[]): string[] {
  return paths.filter((file) =>
    file
      .replace(/\.ts$/, '')
      .split('/')
      .some((name) => EMPTY_NAMES.test(name)),
  );
}

/** Files that pass on what other files export. */
export function barrels(sources: Sources): string[] {
  const passesOn = /^\s*export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^'"`;]*\bfrom\s*['"]/m;
  return Object.keys(sources).filter((file) => passesOn.test(withoutComments(sources[file] ?? '')));
}

function mayImport(from: string, to: string): boolean {
  const targets = MAY_IMPORT.find(([place]) => from.startsWith(place))?.[1] ?? [];
  const isForeign = to.startsWith('shared/client/') && !CLIENT_USERS.some((place) => from.startsWith(place));
  return !isForeign && targets.some((place) => to.startsWith(place));
}

function resolve(from: string, specifier: string): string | null {
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : null;
}

function ring(files: readonly string[]): string {
  const start = files.indexOf(files.toSorted()[0] ?? '');
  const turned = [...files.slice(start), ...files.slice(0, start)];
  return [...turned, turned[0]].join(' → ');
}

function withoutComments(source: string): string {
  return source.replaceAll(/(^|\s)\/\*[\s\S]*?\*\//g, '$1').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
