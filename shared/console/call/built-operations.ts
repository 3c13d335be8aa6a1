import type { ConsoleOperation } from '../../story/read-operations.ts';

/** Put in by `build-assets.ts`. */
declare const BUILT_OPERATIONS: readonly ConsoleOperation[];

/** Enough of each operation to read what a view shows, without the document. */
export const builtOperations: readonly ConsoleOperation[] = BUILT_OPERATIONS;
