import type { SeedRecord, SeedReport } from './seed.ts';
import type { SinkChange } from './sink.ts';

/** What changes in the test kit's own things, of which no event tells. */
export type TestKitChange =
  | SinkChange
  /** A seeding has ended: of all who went on with it, one can say that it made everything. */
  | { readonly kind: 'seed-end'; readonly record: SeedRecord; readonly report: SeedReport };
