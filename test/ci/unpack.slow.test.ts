import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runStep } from '../support/tools/run-step.ts';

const UNPACK = path.resolve('.ci/unpack');
const PACK = 'tar -cf assembly.tar cdk.out';

/** A folder with an archive that these commands make of a good `cdk.out`. */
async function archived(commands: string) {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-unpack-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const making =
    'mkdir -p cdk.out/asset.1; echo "{}" > cdk.out/manifest.json; echo 1 > "cdk.out/asset.1/a file.js"';
  await runStep(`umask 022; ${making}; ${commands}`, dir, {});
  const archive = await readFile(path.join(dir, 'assembly.tar'));
  return { dir, digest: createHash('sha256').update(archive).digest('hex') };
}

function unpack(dir: string, digest: string, folder = 'assembly') {
  return runStep(`"${UNPACK}" assembly.tar "$DIGEST" ${folder}`, dir, { DIGEST: digest });
}

describe('.ci/unpack', () => {
  test('unpacks the files of cdk.out into a new folder, and runs nothing', async () => {
    const { dir, digest } = await archived(PACK);
    await unpack(dir, digest);
    expect(await readdir(path.join(dir, 'assembly'), { recursive: true })).toEqual(
      expect.arrayContaining(['cdk.out/manifest.json', 'cdk.out/asset.1/a file.js']),
    );
    expect(await readdir(path.join(dir, 'assembly'))).toEqual(['cdk.out']);
  });

  test('refuses a folder that is there, so that nothing of the checkout is replaced', async () => {
    const { dir, digest } = await archived(`mkdir assembly; ${PACK}`);
    await expect(unpack(dir, digest)).rejects.toThrow();
    expect(await readdir(path.join(dir, 'assembly'))).toEqual([]);
  });

  test.each([
    ['of another digest', '0'.repeat(64)],
    ['of no digest', ''],
  ])('refuses an archive %s', async (_, digest) => {
    const { dir } = await archived(PACK);
    await expect(unpack(dir, digest)).rejects.toThrow();
    expect(existsSync(path.join(dir, 'assembly'))).toBe(false);
  });

  test.each([
    ['a link', `ln -s /etc/passwd cdk.out/link; ${PACK}`],
    ['a link to a folder', `ln -s / cdk.out/root; ${PACK}`],
    ['a second name of a file', `ln cdk.out/manifest.json cdk.out/same.json; ${PACK}`],
    ['a link instead of cdk.out', `mv cdk.out other; ln -s other cdk.out; ${PACK}`],
    ['a program', `chmod +x cdk.out/manifest.json; ${PACK}`],
    ['a program of others', `chmod o+x cdk.out/manifest.json; ${PACK}`],
    ['a program by its owner', `chmod u+s cdk.out/manifest.json; ${PACK}`],
    ['a pipe', `mkfifo cdk.out/pipe; ${PACK}`],
    ['a file beside cdk.out', `echo 1 > package.json; ${PACK} package.json`],
    ['a folder whose name begins the same', `mkdir cdk.out2; ${PACK} cdk.out2`],
    [
      'a name that only ends like cdk.out',
      `mkdir "x cdk.out"; echo 1 > "x cdk.out/f"; ${PACK} "x cdk.out/f"`,
    ],
    ['a way up', `tar -cPf assembly.tar --transform "s,manifest,../../up," cdk.out`],
    ['a way up at the end', `tar -cPf assembly.tar --transform "s,manifest.json,asset.1/..," cdk.out`],
    ['an absolute path', `tar -cPf assembly.tar --transform "s,^cdk.out/manifest,/tmp/cdk.out/m," cdk.out`],
    ['no cdk.out', 'echo 1 > other; tar -cf assembly.tar other'],
  ])('refuses an archive with %s, and unpacks nothing', async (_, commands) => {
    const { dir, digest } = await archived(commands);
    await expect(unpack(dir, digest)).rejects.toThrow('The archive holds what no assembly has');
    expect(existsSync(path.join(dir, 'assembly'))).toBe(false);
  });

  test('refuses an empty archive', async () => {
    const { dir, digest } = await archived('tar -cf assembly.tar -T /dev/null');
    await expect(unpack(dir, digest)).rejects.toThrow();
  });
});
