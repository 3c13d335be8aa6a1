import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/tools/guide-samples.ts';
import { isFile, RECIPES, type Recipe, SHARED } from './recipes.ts';

/* What the guides of receivers say of packages, held to what the tests of the receivers install. */

const STACKS = path.join(import.meta.dirname, 'stacks');

type Versions = readonly (readonly [name: string, version: string])[];

/** The packages that a stack names itself, by the file that locks them. */
const LOCKS: Readonly<Record<string, (text: string) => Versions>> = {
  'package.json': (text) => Object.entries((JSON.parse(text) as { dependencies: object }).dependencies),
  'requirements.txt': (text) => pairsIn(text, /^(\S+)==(\S+)$/gm),
  'go.mod': (text) => pairsIn(text, /^\t(\S+) v(\S+)$/gm),
};

function pairsIn(text: string, pattern: RegExp): Versions {
  return [...text.matchAll(pattern)].map(([, name = '', version = '']) => [name, version] as const);
}

function lockedPackages({ stack, files }: Recipe): Map<string, string> {
  const dependency = /<groupId>(\S+)<\/groupId>\s+<artifactId>(\S+)<\/artifactId>\s+<version>([\d.]{2,})</g;
  const jars = (files.get('pom.xml') ?? '').replaceAll(dependency, '\n$1:$2==$3\n');
  const locked = Object.entries(LOCKS).flatMap(([file, read]) => {
    const lock = path.join(STACKS, stack, file);
    return existsSync(lock) ? read(readFileSync(lock, 'utf8')) : [];
  });
  return new Map([...locked, ...(LOCKS['requirements.txt']?.(jars) ?? [])]);
}

const LOCKED = RECIPES.filter((recipe) => lockedPackages(recipe).size > 0);

test('every file of a receiver belongs to a stack that the table names', () => {
  expect(RECIPES.length).toBeGreaterThan(14);
  const files = SAMPLES.filter(isFile);
  const named = new Set(RECIPES.map(({ stack }) => stack).concat(SHARED));
  expect(files.map(({ use }) => use).filter((use) => !named.has(use))).toEqual([]);
  for (const { files: own, start } of RECIPES) {
    expect(own.size).toBeGreaterThan(0);
    expect(start).not.toBe('');
  }
});

test('stacks of four languages have a lock', () => {
  expect(LOCKED.length).toBeGreaterThan(11);
});

test.each(LOCKED)('$name is tested in the versions that the table names', (recipe) => {
  const locked = lockedPackages(recipe);
  expect(recipe.versions.size).toBeGreaterThan(0);
  for (const [name, version] of recipe.versions) {
    expect([name, locked.get(name)]).toEqual([name, version]);
  }
});

test.each(LOCKED)('$name takes what its command installs, and nothing else', (recipe) => {
  const [, named = ''] = /^(?:npm install|pip install|go get) (.+)$/m.exec(recipe.install) ?? [];
  const names = named.split(' ').filter((name) => name !== '');
  const locked = [...lockedPackages(recipe).keys()];
  // What follows is taken by the packages before: it is locked, too. Maven has its packages in a file.
  expect(locked.slice(0, names.length).toSorted()).toEqual(names.toSorted());
});

test('what Debian has is what .ci/tools installs', () => {
  const tools = readFileSync('.ci/tools', 'utf8');
  const commands = RECIPES.flatMap(
    ({ install }) => /apt-get install (.+)/.exec(install)?.[1]?.split(' ') ?? [],
  );
  expect(commands.length).toBeGreaterThan(4);
  expect(commands.filter((name) => !new RegExp(`[ (]${name}[ )]`).test(tools))).toEqual([]);
});
