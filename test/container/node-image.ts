import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cachedFolder } from '../support/tools/cached-folder.ts';
import { runCommand } from '../support/tools/run-command.ts';

const DEBIAN = 'bookworm';
const PACKAGES = 'libstdc++6,ca-certificates';
const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt';

/**
 * What stands in for the official image of Node where no registry of images is at hand: Debian, with the Node of this
 * repository, the npm of this machine and its settings, and the user `node`.
 * @returns its file system as a tarball
 * @throws Error where mmdebstrap is not installed, or this is not root
 */
export async function nodeImageTarball(): Promise<string> {
  const folder = await cachedFolder(`node-image-${DEBIAN}-${process.versions.node}`, async (into) => {
    const top = await mkdtemp(path.join(tmpdir(), 'payments-node-image-'));
    try {
      const root = path.join(top, 'root');
      await runCommand('mmdebstrap', ['--variant=minbase', `--include=${PACKAGES}`, DEBIAN, root]);
      await addNode(root);
      await runCommand('tar', ['-C', root, '--exclude=./dev/*', '-cf', path.join(into, 'root.tar'), '.']);
    } finally {
      await rm(top, { recursive: true, maxRetries: 5 });
    }
  });
  return path.join(folder, 'root.tar');
}

async function addNode(root: string): Promise<void> {
  const local = path.join(root, 'usr/local');
  await copyFile(process.execPath, path.join(local, 'bin/node'));
  const { stdout: program } = await runCommand('sh', ['-c', 'readlink -f "$(command -v npm)"']);
  await cp(path.resolve(program.trim(), '../..'), path.join(local, 'lib/npm'), {
    recursive: true,
    dereference: true,
  });
  await symlink('../lib/npm/bin/npm-cli.js', path.join(local, 'bin/npm'));
  // The container reaches the registry as this machine does.
  await copyFile(`/${CERTIFICATES}`, path.join(root, CERTIFICATES));
  const settings = [`registry=${await npmSays('config', 'get', 'registry')}`, `cafile=/${CERTIFICATES}`];
  await mkdir(path.join(local, 'etc'), { recursive: true });
  await writeFile(path.join(local, 'etc/npmrc'), settings.join('\n'));
  await runCommand('chroot', [root, 'groupadd', '--gid', '1000', 'node']);
  await runCommand('chroot', [root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node']);
}

async function npmSays(...args: readonly string[]): Promise<string> {
  return (await runCommand('npm', args)).stdout.trim();
}
