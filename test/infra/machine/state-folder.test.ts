import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createStateFolder, findStateFolder, stateFolderFor } from '../../../infra/machine/state-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A home folder, with folders in it. @param files that exist there, by their paths */
async function newHome(...files: readonly string[]) {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'payments-home-')));
  onTestFinished(() => rm(home, { recursive: true }));
  vi.stubEnv('HOME', home);
  for (const file of files) {
    await mkdir(path.dirname(path.join(home, file)), { recursive: true });
    await (file.endsWith('/') ? mkdir(path.join(home, file)) : writeFile(path.join(home, file), ''));
  }
  return (...names: readonly string[]) => path.join(home, ...names);
}

describe('the state of a project', () => {
  test('is found from every folder below it', async () => {
    const at = await newHome('shop/.payments/', 'shop/src/deep/index.js', 'shop/src/package.json');
    for (const folder of ['shop', 'shop/src', 'shop/src/deep']) {
      expect(findStateFolder(at(folder))).toBe(at('shop/.payments'));
      expect(stateFolderFor(at(folder))).toBe(at('shop/.payments'));
    }
  });

  test.each(['.git/', 'package.json', 'pyproject.toml', 'go.mod', 'composer.json', 'Gemfile', 'pom.xml'])(
    'begins at the top of the project, which has %s',
    async (name) => {
      const at = await newHome(`shop/${name}`, 'shop/src/deep/index');
      expect(findStateFolder(at('shop/src'))).toBeNull();
      expect(stateFolderFor(at('shop/src/deep'))).toBe(at('shop/.payments'));
    },
  );

  test('begins in the folder itself where no project is around it', async () => {
    const at = await newHome('tries/one/');
    expect(stateFolderFor(at('tries/one'))).toBe(at('tries/one/.payments'));
  });

  test('is never that of the home folder, nor in it', async () => {
    const at = await newHome('.payments/', '.git/', 'package.json', 'shop/index.js');
    expect(findStateFolder(at('shop'))).toBeNull();
    expect(stateFolderFor(at('shop'))).toBe(at('shop/.payments'));
    expect(findStateFolder(at())).toBeNull();
    expect(() => stateFolderFor(at())).toThrow('The home folder is no project.');
  });

  test('is no file of that name', async () => {
    const at = await newHome('shop/.payments', 'shop/src/index.js');
    expect(findStateFolder(at('shop/src'))).toBeNull();
  });

  test('is for its owner alone, and left out by git', async () => {
    const at = await newHome('shop/index.js');
    await createStateFolder(at('shop/.payments'));
    expect((await stat(at('shop/.payments'))).mode & 0o777).toBe(0o700);
    expect(await readFile(at('shop/.payments/.gitignore'), 'utf8')).toBe('*\n');
    await writeFile(at('shop/.payments/.gitignore'), '');
    await createStateFolder(at('shop/.payments'));
    expect(await readFile(at('shop/.payments/.gitignore'), 'utf8')).toBe('');
  });

  test('of another user is none', async () => {
    const at = await newHome('shop/.payments/', 'shop/src/index.js');
    const own = process.getuid?.() ?? 0;
    vi.spyOn(process, 'getuid').mockReturnValue(own + 1);
    expect(findStateFolder(at('shop/src'))).toBeNull();
  });
});
