import path from 'node:path';
import { CACHE } from './cached-folder.ts';

/** The environment of Go builds in tests: the installed toolchain, and caches that outlast a run. */
export const GO_ENV = {
  ...process.env,
  GOTOOLCHAIN: 'local',
  GOFLAGS: '-modcacherw -buildvcs=false',
  GOMODCACHE: path.join(CACHE, 'go-modules'),
  GOCACHE: path.join(CACHE, 'go-build'),
};

/** The same, with exactly the modules that go.sum names. */
export const LOCKED_GO_ENV = { ...GO_ENV, GOFLAGS: `-mod=readonly ${GO_ENV.GOFLAGS}` };
