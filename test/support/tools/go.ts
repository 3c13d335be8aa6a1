import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { CACHE } from './cached-folder.ts';

/** The environment of Go builds in tests: the one that `.ci/tools` installed or the machine's, and lasting caches. */
export const GO_ENV = {
  ...process.env,
  PATH: [path.join(CACHE, 'go', 'bin'), process.env.PATH].join(path.delimiter),
  GOTOOLCHAIN: 'local',
  GOFLAGS: '-modcacherw -buildvcs=false',
  GOMODCACHE: path.join(CACHE, 'go-modules'),
  GOCACHE: path.join(CACHE, 'go-build'),
};

/** Builds with exactly the modules that go.sum names. */
export const LOCKED_GO_ENV = { ...GO_ENV, GOFLAGS: `-mod=readonly ${GO_ENV.GOFLAGS}` };

export const NO_GO = 'Go is not installed: .ci/tools installs it';

/**
 * Whether Go can build what tests take.
 * @throws Error where it cannot and CI is set, for there a skip would go unseen
 */
export function hasGo(): boolean {
  const isThere = spawnSync('go', ['version'], { env: GO_ENV }).status === 0;
  if (!isThere && process.env.CI !== undefined) {
    throw new Error(NO_GO);
  }
  return isThere;
}
