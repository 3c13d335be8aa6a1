import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from './run-command.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** A copy of the checkout, so that nothing is changed or built where somebody works. */
export interface CheckoutCopy extends AsyncDisposable {
  readonly folder: string;
}

export async function copyCheckout(): Promise<CheckoutCopy> {
  const outer = await mkdtemp(path.join(tmpdir(), 'payments-copy-'));
  const folder = path.join(outer, 'payments');
  await mkdir(folder);
  // What git knows and what is new: build products and the data of a running service stay behind.
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await runCommand('git', args, { cwd: ROOT });
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    // A file that was deleted and is not committed yet is listed, too.
    await cp(path.join(ROOT, file), path.join(folder, file), { recursive: true }).catch(ignoreMissing);
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  // Some tests ask git which files there are.
  await runCommand('git', ['init', '--quiet'], { cwd: folder });
  await runCommand('git', ['add', '--all'], { cwd: folder });
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(outer, { recursive: true, force: true }),
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}
