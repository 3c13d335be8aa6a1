import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../support/tools/free-port.ts';
import { openTerminal } from '../support/tools/readme.ts';
import type { Installation } from './installation.ts';
import type { Recipe } from './recipes.ts';

/** A stack that builds first takes its time on a machine with much else to do. */
const STARTS_WITHIN_MS = 180_000;

/**
 * Saves the files of a recipe as they stand in a new folder, and starts it by its own commands on a free port.
 * @returns its address, and what ends it
 */
export async function startRecipe(
  { name, files, start }: Recipe,
  { parent, env }: Installation,
  secret: string,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const dir = await mkdtemp(path.join(parent, 'shop-'));
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(dir, file)), { recursive: true });
    await writeFile(path.join(dir, file), text);
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const terminal = openTerminal(start, dir, { ...env, PORT: String(port), WEBHOOK_SECRET: secret });
  const stop = async () => {
    await terminal.close();
    await rm(dir, { recursive: true });
  };
  const refuse = () => fetch(`${url}/webhooks`, { method: 'POST', body: '{}' }).catch(() => null);
  try {
    await expect
      .poll(async () => (await refuse())?.status, { timeout: STARTS_WITHIN_MS, interval: 100 })
      .toBe(400);
  } catch (error) {
    await stop();
    throw new Error(`The recipe of ${name} did not start: ${(error as Error).message}\n${terminal.printed()}${terminal.complained()}`);
  }
  return { url, stop };
}
