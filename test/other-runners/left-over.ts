import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The processes that were started with a folder as TMPDIR, with their command lines. */
export async function processesWith(tmp: string): Promise<Map<number, string>> {
  const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const isOf = (await read(pid, 'environ')).split('\0').includes(`TMPDIR=${tmp}`);
      return isOf ? [[Number(pid), (await read(pid, 'cmdline')).replaceAll('\0', ' ')] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/** The folders of services and their engines that processes have on their command lines, or in a folder. */
export async function foldersOf(processes: ReadonlyMap<number, string>, tmp: string): Promise<string[]> {
  const named = [...processes.values()].flatMap((line) => line.match(/\/\S*\/payments-\w+(?=\/)/g) ?? []);
  const own = (await readdir(tmp)).filter((name) => name.startsWith('payments-'));
  return [...new Set([...named, ...own.map((name) => path.join(tmp, name))])];
}
