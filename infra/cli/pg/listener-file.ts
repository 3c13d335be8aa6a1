import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { newSigningSecret, sha256Hex } from '../../../shared/domain/secret.ts';
import { writeWhole } from '../../local/write-whole.ts';
import type { Place } from './follow-events.ts';

const listener = v.object({
  /** Signs what is forwarded: `whsec_…`. */
  secret: v.string(),
  /** The last event that was forwarded or left out; null before the first one of the world. */
  place: v.nullable(v.object({ id: v.string(), sequence: v.number() })),
  /** The address of the last time; null where none was said yet. */
  forwardTo: v.nullable(v.string()),
});
/** What is kept of a world that was listened to, so that listening goes on where it was. */
export type Listener = v.InferOutput<typeof listener>;

/** The file of a world: `.local/listen/….json`. A local service is known by its folder, whatever its port is. */
export async function listenerFileOf(dir: string, service: string | null, world: string): Promise<string> {
  const name = service === null ? world : sha256Hex(`${service} ${world}`).slice(0, world.length);
  const folder = path.join(dir, 'listen');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, `${name}.json`);
}

/**
 * What the file says; where there is none, one is made, for its owner alone: with a new secret, and this place.
 * @throws Error where it is damaged
 */
export async function openListener(file: string, place: Place): Promise<Listener> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
    return null;
  });
  if (text === null) {
    const made = { secret: newSigningSecret(), place, forwardTo: null };
    await writeWhole(file, made);
    return made;
  }
  try {
    return v.parse(listener, JSON.parse(text));
  } catch {
    throw new Error(`${file} is damaged. Delete it to begin anew, with a new signing secret.`);
  }
}
