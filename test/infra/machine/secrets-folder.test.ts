import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SecretsFolder } from '../../../infra/machine/secrets-folder.ts';
import { type Host, startHost, untilDead } from '../../support/world/host.ts';

const WORLD = '0123456789abcdef';
const SECRETS = { secret_key: 'sk_test_1', webhook_secret: 'whsec_1' };

async function newFolder() {
  const parent = await mkdtemp(path.join(tmpdir(), 'payments-secrets-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const dir = path.join(parent, 'provider-secrets');
  return { parent, dir, folder: new SecretsFolder(dir), file: path.join(dir, `${WORLD}.json`) };
}

async function end(host: Host, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  host.process.kill(signal);
  await untilDead(host);
}

describe('the secrets of a local service', () => {
  test('are for their owner alone, and each world has its own', async () => {
    const { dir, folder, file } = await newFolder();
    expect(await folder.read(WORLD)).toBeNull();
    await folder.write(WORLD, SECRETS);
    expect(await folder.read(WORLD)).toEqual(SECRETS);
    expect(await folder.read('fedcba9876543210')).toBeNull();
    expect([(await stat(dir)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600]);
    // Whole: nothing of the writing is left.
    expect(await readdir(dir)).toEqual([`${WORLD}.json`]);
    await folder.remove(WORLD);
    await folder.remove(WORLD);
    expect(await folder.read(WORLD)).toBeNull();
  });

  test.each([0o640, 0o604, 0o620])('are not read where others may do what %o says', async (mode) => {
    const { folder, file } = await newFolder();
    await folder.write(WORLD, SECRETS);
    await chmod(file, mode);
    await expect(folder.read(WORLD)).rejects.toThrow(/^Others than its owner may read .*\(chmod 600\)/);
    // Giving others replaces the file, not what it holds.
    await folder.write(WORLD, SECRETS);
    expect(await folder.read(WORLD)).toEqual(SECRETS);
  });

  test.each(['', '{"secret_key": "sk_test_1"', '[]', '"sk_test_1"', '{"secret_key": 1}', 'null'])(
    'are called damaged where they are %j, and not repeated',
    async (content) => {
      const { folder, file } = await newFolder();
      await folder.write(WORLD, SECRETS);
      await writeFile(file, content);
      await expect(folder.read(WORLD)).rejects.toThrow(`${file} is damaged: connect again.`);
    },
  );
});

describe('the secrets that a service leaves', () => {
  const secretsOf = (dir: string, name: string) => readdir(path.join(dir, name)).catch(() => []);

  test('stay with its data, until it begins anew', { tags: 'slow' }, async () => {
    const { parent: dir } = await newFolder();
    const host = await startHost({ dir });
    await new SecretsFolder(path.join(dir, 'provider-secrets')).write(WORLD, SECRETS);
    await end(host);
    const again = await startHost({ dir });
    expect(await secretsOf(dir, 'provider-secrets')).toEqual([`${WORLD}.json`]);
    await end(again);
    const anew = await startHost({ dir, args: ['--fresh'] });
    expect(await secretsOf(dir, 'provider-secrets')).toEqual([]);
    await end(anew);
  });

  test('in memory end with it, or where it was killed with the next start', { tags: 'slow' }, async () => {
    const { parent: dir } = await newFolder();
    const folder = new SecretsFolder(path.join(dir, 'provider-secrets-in-memory'));
    const first = await startHost({ dir, args: ['--memory'] });
    await folder.write(WORLD, SECRETS);
    await end(first, 'SIGKILL');
    const second = await startHost({ dir, args: ['--memory'] });
    expect(await secretsOf(dir, 'provider-secrets-in-memory')).toEqual([]);
    await folder.write(WORLD, SECRETS);
    await end(second);
    expect(second.process.exitCode).toBe(0);
    expect(await secretsOf(dir, 'provider-secrets-in-memory')).toEqual([]);
  });
});
