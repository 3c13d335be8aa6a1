import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../contract/operation.ts';
import type { RequestClaim } from '../domain/request-start.ts';
import { worldNow } from '../domain/world.ts';
import { isProblem } from '../errors/problem.ts';
import type { Moment, StoredWorld } from '../store/worlds/world.ts';
import { idempotent, identify, type Outcome } from './idempotent.ts';
import type { FormRequest } from './serve-page.ts';

/** A payer who presses a button twice waits for the result of the first press. */
const WAITS_MAX = 30;
const WAIT_MS = 100;

interface OnceForm {
  readonly world: StoredWorld;
  /** Names the attempt. Forms with the same key must have the same body. */
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
}

/**
 * Runs a decision once for a key, however often the form is sent.
 * @returns the body of the saved response
 * @throws Problem as `idempotent` does
 */
export async function formOnce(
  { realNowMs, requestId, context }: Pick<FormRequest<Operation>, 'realNowMs' | 'requestId' | 'context'>,
  { world, key, path, body }: OnceForm,
  decide: (claim: RequestClaim, moment: Moment) => Promise<Outcome>,
): Promise<string> {
  const identity = identify(key, 'POST', path, body);
  const nowMs = worldNow(world, realNowMs);
  for (let wait = 1; ; wait += 1) {
    try {
      const { body: saved } = await idempotent(
        { world, nowMs, identity, keySpace: 'page', requestId, context },
        decide,
      );
      return saved;
    } catch (error) {
      if (!isProblem(error, 'idempotency_in_progress') || wait >= WAITS_MAX) {
        throw error;
      }
    }
    await sleep(WAIT_MS);
  }
}
