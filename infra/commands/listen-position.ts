import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { sha256Hex } from '../../shared/domain/secret.ts';
import type { EventPosition } from '../events/follow-events.ts';
import { createStateFolder, stateFolderFor } from '../machine/state-folder.ts';
import { writeFirst } from '../machine/write-whole.ts';
import type { PgReader } from '../terminal/pg-command.ts';

const listenPosition = v.object({
  /** The last event that was forwarded or filtered out; null before the first one of the world. */
  position: v.nullable(v.object({ id: v.string(), sequence: v.number() })),
  /** The address of the last run; null if none was given yet. */
  forwardTo: v.nullable(v.string()),
});
/** What is saved of listening to a world, so that it continues where it stopped. It holds no secret. */
export type ListenPosition = v.InferOutput<typeof listenPosition>;

/**
 * The file of a world: `.payments/listen/….json`. A local service is identified by its folder, not by its port.
 * @throws Error in the home folder, unless a folder is named
 */
export async function listenPositionFile(
  { dir, service, values }: Pick<PgReader, 'dir' | 'service' | 'values'>,
  world: string,
): Promise<string> {
  const name = service === null ? world : sha256Hex(`${service} ${world}`).slice(0, world.length);
  const state = dir ?? values.dir ?? stateFolderFor(process.cwd());
  await createStateFolder(state);
  const folder = path.join(state, 'listen');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, `${name}.json`);
}

/**
 * Reads the file. If there is none, creates one that only its owner can read, with this position.
 * @throws Error if it is damaged
 */
export async function openListenPosition(file: string, position: EventPosition): Promise<ListenPosition> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
    return null;
  });
  if (text === null) {
    const made = { position, forwardTo: null };
    return (await writeFirst(file, made)) ? made : openListenPosition(file, position);
  }
  try {
    return v.parse(listenPosition, JSON.parse(text));
  } catch {
    throw new Error(`${file} is damaged. Delete it to start with the events from now on.`);
  }
}
