import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openListener } from '../../../../infra/cli/pg/listener-file.ts';

test('first runs at the same time agree on one signing secret, and leave one file', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'listener-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = path.join(dir, 'world.json');
  const opened = await Promise.all(Array.from({ length: 20 }, () => openListener(file, null)));
  expect(new Set(opened.map(({ secret }) => secret)).size).toBe(1);
  expect(await readdir(dir)).toEqual(['world.json']);
  expect(await openListener(file, null)).toEqual(opened[0]);
});
