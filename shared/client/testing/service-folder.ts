import { existsSync } from 'node:fs';
import path from 'node:path';

const PROGRAM = 'infra/local/start.ts';

/**
 * The clone of the service: what `PG_SERVICE_DIR` names, or the first folder that has it, upwards from this package
 * (which npm links to the clone that it was installed from) or from the working directory.
 * @throws Error that says how to name one, or that its packages are not installed
 */
export function findServiceFolder(env: NodeJS.ProcessEnv): string {
  const named = env.PG_SERVICE_DIR || undefined;
  if (named !== undefined && !hasService(named)) {
    throw new Error(
      `PG_SERVICE_DIR names ${named}, which is no clone of the service: ${PROGRAM} is missing.`,
    );
  }
  const found = named ?? [import.meta.dirname, process.cwd()].flatMap(foldersUpwards).find(hasService);
  if (found === undefined) {
    throw new Error(
      'No service is known. Set PG_BASE_URL and PG_KEY to those of a running one, or PG_SERVICE_DIR to a clone of the service, which is then started.',
    );
  }
  const folder = path.resolve(found);
  if (!existsSync(path.join(folder, 'node_modules/node'))) {
    throw new Error(`The packages of the service are not installed: run "npm ci" in ${folder}.`);
  }
  return folder;
}

function hasService(folder: string): boolean {
  return existsSync(path.join(folder, PROGRAM));
}

function foldersUpwards(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpwards(parent)];
}
