import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openListenPosition } from '../../../infra/commands/listen-position.ts';

test('first runs at the same time agree on one position, and leave one file', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'listener-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = path.join(dir, 'world.json');
  const positions = Array.from({ length: 20 }, (_, sequence) => ({ id: `evt_${sequence}`, sequence }));
  const opened = await Promise.all(positions.map((position) => openListenPosition(file, position)));
  expect(new Set(opened.map(({ position }) => position?.id)).size).toBe(1);
  expect(await readdir(dir)).toEqual(['world.json']);
  expect(await openListenPosition(file, null)).toEqual(opened[0]);
});

test('a secret that an earlier version saved is neither needed nor kept', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'listener-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = path.join(dir, 'world.json');
  const kept = { position: { id: 'evt_1', sequence: 1 }, forwardTo: 'http://127.0.0.1:3000/hook' };
  await writeFile(file, JSON.stringify({ secret: 'whsec_old', ...kept }));
  expect(await openListenPosition(file, null)).toEqual(kept);
});
