/// <reference lib="dom" />
import { isOfTestKit } from '../../contract/test-kit.ts';
import type { BodyOf } from '../../story/operation-id.ts';
import type { BenchMemory } from '../call/bench-memory.ts';
import { builtOperations } from '../call/built-operations.ts';
import { createCalls } from '../call/calls.ts';
import type { Gate } from '../call/gate.ts';
import { KnownIds } from '../call/known-ids.ts';
import { createMerchantClock } from '../call/merchant-clock.ts';
import { Reads } from '../call/reads.ts';
import { uuidV7 } from '../call/uuid-v7.ts';
import { nextTask } from './next-task.ts';

interface AccessProps {
  readonly gate: Gate;
  readonly hasTestKit: boolean;
  /** Called when the service refuses the key. */
  readonly onUnauthorized: (detail: string) => void;
}

export type ServiceAccess = ReturnType<typeof createServiceAccess>;

/** Creates what calls the service, and what keeps its responses. */
export function createServiceAccess({ gate, hasTestKit, onUnauthorized }: AccessProps) {
  const operations = builtOperations.filter(({ id }) => hasTestKit || !isOfTestKit(id));
  const clock = createMerchantClock();
  const knownIds = new KnownIds();
  const benches: BenchMemory = new Map();
  const calls = createCalls({ gate, operations, newIdempotencyKey: uuidV7, onUnauthorized });
  const reads = new Reads({
    // Each in a task of its own, so that what the user does need not wait for all that a view reads.
    call: async (...read) => {
      await nextTask();
      return calls.send(...read);
    },
    isActive: () => gate.isOpen() && document.visibilityState !== 'hidden',
    onResponse: (name, response) => {
      knownIds.list(name, [response]);
      if (response.status === 200 && response.request.path.endsWith('/test/clock')) {
        clock.set((response.body as BodyOf<'testkit.GetClock'>).now);
      }
    },
  });
  return { operations, clock, knownIds, benches, calls, reads };
}
