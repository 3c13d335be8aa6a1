import { existsSync, realpathSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** The folder of a project that holds the data of its service, and what commands keep. */
export const STATE_FOLDER = '.payments';

/** What the top folder of a project has one of. */
const TOP_OF_PROJECT = [
  '.git',
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'composer.json',
  'Gemfile',
];

/**
 * The nearest state folder of a folder or of those above it; null if there is none. That of the home folder, or of
 * another user, is none: whoever can write it would get the API keys of programs below.
 */
export function findStateFolder(from: string): string | null {
  return (
    projectFolders(from)
      .map((folder) => path.join(folder, STATE_FOLDER))
      .find(isOwn) ?? null
  );
}

/**
 * The state folder of the project of a folder: the nearest that exists, else that of the top of the project.
 * @throws Error in the home folder, which is no project
 */
export function stateFolderFor(from: string): string {
  const found = findStateFolder(from);
  if (found !== null) {
    return found;
  }
  const folders = projectFolders(from);
  const top = folders.find((folder) => TOP_OF_PROJECT.some((name) => existsSync(path.join(folder, name))));
  const project = top ?? folders[0];
  if (project === undefined) {
    throw new Error('The home folder is no project. Go to the folder of one, or name another: --dir PATH');
  }
  return path.join(project, STATE_FOLDER);
}

/** Creates a state folder that only its owner can read, and that git leaves out. */
export async function createStateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (path.basename(folder) === STATE_FOLDER) {
    await writeFile(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(unlessThere);
  }
}

/** A folder and those above it, without the home folder and what is above that. */
function projectFolders(from: string): string[] {
  const home = homedir();
  const homes = [home, ...(existsSync(home) ? [realpathSync(home)] : [])];
  const folders: string[] = [];
  for (let folder = path.resolve(from); !homes.includes(folder); folder = path.dirname(folder)) {
    folders.push(folder);
    if (folder === path.dirname(folder)) {
      break;
    }
  }
  return folders;
}

function isOwn(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') {
    throw error;
  }
}
