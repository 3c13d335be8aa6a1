import { hostname, userInfo } from 'node:os';

/** The user of this machine, for the audit log. Falls back to the user's number, if the system has no name for it. */
export function localUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `uid ${process.getuid?.()}@${hostname()}`;
  }
}
