import { mapLimit } from '../../concurrency/map-limit.ts';
import type { DeliveryTarget } from '../../domain/delivery.ts';
import { type Endpoint, type EndpointChange, noteAttempts } from '../../domain/endpoint.ts';
import type { World } from '../../domain/world.ts';
import { readEndpoint } from '../../store/events/endpoint.ts';
import type { AttemptOutcome } from './attempt-delivery.ts';

const READ_AT_ONCE = 16;

/** The endpoints of a run, as its own commits have left them since they were read; null: deleted. */
export class KnownEndpoints {
  readonly #world: World;
  readonly #changed = new Map<string, Endpoint | null>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The targets as they are now, without those that were deleted. An endpoint may have been disabled. */
  current(targets: readonly DeliveryTarget[]): DeliveryTarget[] {
    return targets.flatMap((target) => {
      const endpoint = this.#changed.get(target.id);
      return endpoint === null ? [] : [{ ...target, ...(endpoint && { endpoint }) }];
    });
  }

  /** The changes that attempts cause in their endpoints: few, since most attempts change nothing. */
  changesBy(outcomes: readonly AttemptOutcome[]): EndpointChange[] {
    return outcomes.flatMap(({ target, attempts }) => {
      const changed = this.#changed.get(target.id);
      const endpoint = changed === undefined ? target.endpoint : changed;
      return (endpoint && noteAttempts(endpoint, attempts)) ?? [];
    });
  }

  /** Keeps the committed changes. */
  keep(changes: readonly EndpointChange[]): void {
    for (const { after } of changes) {
      if (after !== null) {
        this.#changed.set(after.id, after);
      }
    }
  }

  /** Reads the endpoints of changes that conflicted. */
  async refresh(changes: readonly EndpointChange[]): Promise<void> {
    await mapLimit(READ_AT_ONCE, changes, async ({ before }) => {
      if (before !== null) {
        this.#changed.set(before.id, await readEndpoint(this.#world, before));
      }
    });
  }
}
