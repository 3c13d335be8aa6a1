import { isMainThread } from 'node:worker_threads';
import { Poster } from '../../../shared/webhooks/poster.ts';

/* Loaded into a host before it starts: its thread of clock and jobs crashes when it posts the first delivery. */

if (!isMainThread) {
  Poster.prototype.post = () => {
    setImmediate(() => {
      throw new Error('crashed on purpose');
    });
    return new Promise(() => undefined);
  };
}
