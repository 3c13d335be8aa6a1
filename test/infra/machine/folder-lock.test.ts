import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockFileOf, lockHolder, takeLock } from '../../../infra/machine/folder-lock.ts';

/** Far less than a look at the lock may wait, and longer than it takes to begin one. */
const WRITTEN_MS = 200;

async function newFolder(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-lock-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
}

/** A process that does something with the lock of a folder, says so, and ends when its input ends. */
async function beside(dir: string, script: string) {
  const program = `
    import { DatabaseSync } from 'node:sqlite';
    import { takeLock } from ${JSON.stringify(path.resolve('infra/machine/folder-lock.ts'))};
    const file = ${JSON.stringify(lockFileOf(dir))};
    ${script}
    console.log('done');
    process.stdin.resume().on('end', () => process.exit());`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const end = async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
  await once(child.stdout, 'data');
  return { pid: child.pid, end };
}

test('a folder that nobody has locked has no holder', async () => {
  const dir = await newFolder();
  expect(lockHolder(dir)).toBeNull();
  takeLock(lockFileOf(dir)).close();
  expect(lockHolder(dir)).toBeNull();
});

test('the holder of a folder is a running process, until it ends', async () => {
  const dir = await newFolder();
  const { pid, end } = await beside(dir, 'globalThis.lock = takeLock(file);');
  expect(lockHolder(dir)).toBe(pid);
  await end();
  expect(lockHolder(dir)).toBeNull();
});

test('a look at a lock that is just taken waits until that is written', async () => {
  const dir = await newFolder();
  takeLock(lockFileOf(dir)).close();
  const { pid, end } = await beside(
    dir,
    `const lock = new DatabaseSync(file);
     lock.exec('BEGIN EXCLUSIVE; PRAGMA user_version = ' + process.pid);
     setTimeout(() => lock.exec('COMMIT; BEGIN IMMEDIATE'), ${WRITTEN_MS});`,
  );
  expect(lockHolder(dir)).toBe(pid);
  await end();
});
