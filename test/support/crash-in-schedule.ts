import { isMainThread } from 'node:worker_threads';

/* Loaded into a host before it starts: its thread of clock and jobs crashes when it posts the first delivery. */

if (!isMainThread) {
  globalThis.fetch = async () => {
    setImmediate(() => {
      throw new Error('crashed on purpose');
    });
    return new Response();
  };
}
