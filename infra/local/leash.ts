import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Calls back when standard input ends: the program at its other end has closed it, has ended or was killed. */
export function onLeashEnd(end: () => void): void {
  for (const event of ['end', 'error']) {
    process.stdin.once(event, end);
  }
  process.stdin.resume();
}

/** A new folder, which is removed when this process ends. */
export function folderOnLeash(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'payments-service-'));
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
