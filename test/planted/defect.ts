import { existsSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** A small change of the code that a test has to catch. */
export interface Defect {
  /** Names the row, for `--only`. */
  readonly id: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Text that the file has exactly once. */
  readonly old: string;
  /** What replaces it. */
  readonly planted: string;
  /** What a user would see. */
  readonly shows: string;
  /** The test file that has to catch it. Left out: the one that mirrors the file. */
  readonly near?: string;
}

/** The test file that has to catch a defect. */
export function nearestTestOf({ file, near }: Pick<Defect, 'file' | 'near'>): string {
  const mirrored = `test/${file.replace(/^shared\//, '').replace(/\.tsx?$/, '')}`;
  const isolated = `${mirrored}.isolated.test.ts`;
  return near ?? (existsSync(path.join(ROOT, isolated)) ? isolated : `${mirrored}.test.ts`);
}

/**
 * The text of a file with a defect in it.
 * @throws Error where the old text is not in the file exactly once: the row has to follow the code
 */
export function plantInto(text: string, { id, file, old, planted }: Defect): string {
  const pieces = text.split(old);
  if (pieces.length !== 2) {
    throw new Error(`${id}: ${file} has its old text ${pieces.length - 1} times, not once`);
  }
  return pieces.join(planted);
}
