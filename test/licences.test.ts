import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/* Licences by their SPDX names, as the locks have them. Another one is a decision: it is added here, or the package goes. */

/** What asks for no more than its notice, which the package has in THIRD-PARTY.txt. */
const SHIPPED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];
/** And what may be used where it is not passed on: tools, and the stacks of receivers in tests. */
const USED = [...SHIPPED, 'CC-BY-4.0', 'CC0-1.0', 'LGPL-3.0-or-later', 'MPL-2.0', 'PSF-2.0', 'Python-2.0'];
/** Packages whose lock names no licence, with that of their LICENSE file. */
const UNNAMED: Readonly<Record<string, string>> = { busboy: 'MIT', streamsearch: 'MIT' };

interface LockedPackage {
  readonly license?: string;
  /** What neither functions nor the package have in them. */
  readonly dev?: boolean;
}

const LOCKS = globSync('{.,test/**}/package-lock.json', { exclude: ['**/node_modules'] });
const packagesOf = (lock: string) => {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages).filter(([folder]) => folder !== '');
};

/** Whether an SPDX expression leaves a choice in which every licence is allowed. */
function isPermitted(expression: string, allowed: readonly string[]): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((license) => allowed.includes(license)));
}

/** The packages of a lock with a licence that is not allowed. */
function refusedOf(packages: readonly (readonly [string, LockedPackage])[], isTool: boolean): string[] {
  return packages.flatMap(([folder, { license, dev = false }]) => {
    const name = folder.replace(/^.*node_modules\//, '');
    const stated = license ?? UNNAMED[name] ?? 'no licence';
    return isPermitted(stated, isTool || dev ? USED : SHIPPED) ? [] : [`${name}: ${stated}`];
  });
}

test.each(LOCKS)('every licence in %s is allowed', (lock) => {
  expect(refusedOf(packagesOf(lock), lock !== 'package-lock.json')).toEqual([]);
});

describe('a licence', () => {
  test.each([
    ['GPL-3.0-only', false],
    ['MIT AND GPL-3.0-only', false],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['Apache-2.0 AND MIT', true],
    ['UNLICENSED', false],
  ])('%s is allowed in what is shipped: %s', (license, isFine) => {
    expect(refusedOf([['node_modules/some', { license }]], false)).toHaveLength(isFine ? 0 : 1);
  });

  test('that nobody states is refused', () => {
    expect(refusedOf([['node_modules/some', {}]], true)).toEqual(['some: no licence']);
  });

  test('of a tool may ask for more than one of what is shipped', () => {
    const tool = ['node_modules/@some/tool', { license: 'MPL-2.0', dev: true }] as const;
    expect(refusedOf([tool], false)).toEqual([]);
    expect(refusedOf([[tool[0], { ...tool[1], dev: false }]], false)).toEqual(['@some/tool: MPL-2.0']);
  });
});

test('each licence that is stated here is still needed', () => {
  const unnamed = LOCKS.flatMap(packagesOf).flatMap(([folder, { license }]) =>
    license === undefined ? [folder.replace(/^.*node_modules\//, '')] : [],
  );
  expect(Object.keys(UNNAMED).toSorted()).toEqual([...new Set(unnamed)].toSorted());
});
