import { existsSync } from 'node:fs';

/** Where Debian, Ubuntu and others put it; CHROMIUM names another file. The shell draws for no screen: it needs less. */
const FILES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export const chromiumPath = FILES.find((file) => file !== undefined && existsSync(file));

/** The sandbox needs rights that root in a container has not; the pages are our own. */
export const CHROMIUM_ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] as const;

/** The path of Chromium, for what does not run without it. */
export function requireChromium(): string {
  if (chromiumPath === undefined) {
    throw new Error('No Chromium is installed: apt install chromium, or name one by CHROMIUM.');
  }
  return chromiumPath;
}
