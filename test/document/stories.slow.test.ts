import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { baseUrl, newKey } from '../support/world/merchant.ts';
import { tellStories } from './tell-stories.ts';

const STORIES = await readFile(path.join(import.meta.dirname, 'stories.arazzo.yaml'), 'utf8');
const { workflows } = parse(STORIES) as { workflows: readonly unknown[] };

async function told(stories: string) {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-stories-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const { secret } = await newKey();
  return tellStories(stories, { baseUrl, key: secret }, dir);
}

test('every story in Arazzo comes true, told by the runner of others', async () => {
  const { passed, output } = await told(STORIES);
  expect(passed, output).toBe(workflows.length);
  expect(workflows.length).toBeGreaterThan(3);
});

test('a story that is not true fails', async () => {
  const untrue = STORIES.replace('refunded_minor == 50000', 'refunded_minor == 50001');
  expect(untrue).not.toBe(STORIES);
  expect((await told(untrue)).passed).toBe(workflows.length - 1);
});
