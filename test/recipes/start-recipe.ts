import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../support/tools/free-port.ts';
import { openTerminal } from '../support/tools/readme.ts';
import { newProject } from './installation.ts';
import type { Recipe } from './recipes.ts';

export interface RunningRecipe {
  /** Its project. */
  readonly dir: string;
  readonly url: string;
  stop(): Promise<void>;
}

/** A stack that builds first takes its time on a machine with much else to do. */
const STARTS_WITHIN_MS = 300_000;

/**
 * Saves the files of a recipe as they stand in a new project, and starts it by its own commands on a free port.
 * @param node the version of Node, if it is not that of the repository
 */
export async function startRecipe(recipe: Recipe, secret: string, node?: string): Promise<RunningRecipe> {
  const { dir, env } = await newProject(recipe, node);
  for (const [file, text] of recipe.files) {
    await mkdir(path.dirname(path.join(dir, file)), { recursive: true });
    await writeFile(path.join(dir, file), text);
  }
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const terminal = openTerminal(recipe.start, dir, { ...env, PORT: port, WEBHOOK_SECRET: secret });
  const stop = async () => {
    await terminal.close();
    await rm(dir, { recursive: true });
  };
  const refuse = () => fetch(`${url}/webhooks`, { method: 'POST', body: '{}' }).catch(() => null);
  const started = expect
    .poll(async () => (await refuse())?.status, { timeout: STARTS_WITHIN_MS, interval: 100 })
    .toBe(400);
  const ended = terminal.closed.then(() => Promise.reject(new Error('it ended')));
  // When it is stopped, it ends.
  ended.catch(() => undefined);
  try {
    await Promise.race([started, ended]);
  } catch (error) {
    await stop();
    const printed = `${terminal.printed()}${terminal.complained()}`;
    throw new Error(`The receiver for ${recipe.name} did not start: ${(error as Error).message}\n${printed}`);
  }
  return { dir, url, stop };
}
