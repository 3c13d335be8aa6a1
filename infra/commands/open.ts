import { spawn } from 'node:child_process';
import { addressOfId } from '../../shared/story/addresses.ts';
import { UsageError } from '../terminal/command.ts';

/** What opens an address in the browser of the user, by platform. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/**
 * The address of the dashboard, or of its page that shows this id.
 * @param key connects the dashboard at once, which takes it out of the address; only that of the local service, since
 *   addresses are kept in histories
 * @throws UsageError for an id that has no page there
 */
export function dashboardAddress(baseUrl: string, id: string | undefined, key: string | null): string {
  const route = id === undefined ? '' : addressOfId(id);
  if (route === null) {
    throw new UsageError('open takes an id that the dashboard can show: pay_…, ref_…, lnk_…, evt_….');
  }
  return `${baseUrl}/console${key === null ? route : `#key=${key}${route.replace(/^#/, '')}`}`;
}

/** Opens an address in a browser. Where there is none, nothing happens: the address was printed. */
export function openInBrowser(address: string): void {
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
