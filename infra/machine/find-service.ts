import path from 'node:path';
import { lockHolder } from './folder-lock.ts';
import { runningServices } from './running-services.ts';
import { readServiceFile, type ServiceFile, serviceFileOf } from './service-file.ts';
import { findStateFolder } from './state-folder.ts';

/** A local service that runs, and where. */
export interface LocalService extends ServiceFile {
  readonly dir: string;
}

/**
 * The service that runs in a folder; without one, that of the project of the working directory, else the only one that
 * runs. Null if there is none.
 * @throws Error where several run, and none of them is meant
 */
export async function findLocalService(dir: string | undefined): Promise<LocalService | null> {
  const named = dir ?? findStateFolder(process.cwd());
  const here = named === null ? null : await serviceIn(path.resolve(named));
  if (here !== null || dir !== undefined) {
    return here;
  }
  const running = runningServices();
  if (running.length > 1) {
    const dirs = running.map((folder) => `--dir ${folder}`).join(', ');
    throw new Error(`${running.length} services run. Name the folder of one: ${dirs}`);
  }
  return running[0] === undefined ? null : serviceIn(running[0]);
}

async function serviceIn(dir: string): Promise<LocalService | null> {
  const pid = lockHolder(dir);
  const service = pid === null ? null : await readServiceFile(serviceFileOf(dir));
  return service === null || service === 'damaged' || service.pid !== pid ? null : { ...service, dir };
}
