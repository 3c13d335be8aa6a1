import type { CreatedWorldChange } from './created-world.ts';
import type { SeedRecord, SeedReport } from './seed.ts';
import type { SinkChange } from './sink.ts';

/** Changes of the test kit's own items. They make no events. */
export type TestKitChange =
  | SinkChange
  | CreatedWorldChange
  /** Removes a move of the clock when its response is saved. */
  | { readonly kind: 'move-end'; readonly idempotencyKey: string }
  /** Ends a seeding. If several requests worked on it, only one of them can end it. */
  | { readonly kind: 'seed-end'; readonly record: SeedRecord; readonly report: SeedReport };
