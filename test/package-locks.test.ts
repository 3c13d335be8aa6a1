import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  /** It is in the archive of the package whose folder it lies in. */
  readonly inBundle?: boolean;
}

const LOCKS = globSync('{.,test/**}/package-lock.json', { exclude: ['**/node_modules'] });

/** All entries of a lock but that of the package itself. */
function entriesOf(lock: string): [string, Entry][] {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, Entry> };
  return Object.entries(packages).filter(([folder]) => folder !== '');
}

test('every package lock is checked', () => {
  expect(LOCKS.length).toBeGreaterThan(2);
  expect(LOCKS).toContain('package-lock.json');
});

describe.each(LOCKS)('%s', (lock) => {
  const entries = entriesOf(lock);
  const folders = new Map(entries);

  test('has the hash of every package, for any platform', () => {
    const unproven = entries.filter(([folder, { integrity = '', inBundle }]) => {
      const bundling = folder.slice(0, folder.lastIndexOf('/node_modules/'));
      return !isProof(integrity) && !(inBundle && isProof(folders.get(bundling)?.integrity));
    });
    expect(unproven.map(([folder]) => folder)).toEqual([]);
  });

  test('names no host, so that packages come from the registry of the installing machine', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

function isProof(integrity = ''): boolean {
  return /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
}
