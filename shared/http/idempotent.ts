import { setTimeout as sleep } from 'node:timers/promises';
import {
  IdempotencyConfig,
  IdempotencyInconsistentStateError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import type { Context } from 'aws-lambda';
import type { Beginning } from '../domain/beginning.ts';
import { sha256Hex } from '../domain/secret.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { Claim } from '../store/claim.ts';
import { commit, type Write } from '../store/commit.ts';
import type { Answer } from './responder.ts';

/** How long an answer can be replayed, in real time (contract §4). */
const REPLAYABLE_SECONDS = 24 * 60 * 60;
/** How often a decision is made anew because what it was made on has changed. */
const DECISIONS_MAX = 40;
const PAUSE_MS = 5;
const PAUSE_MAX_MS = 100;

/** What a request comes to: writes that happen together or not at all, and the answer if they do. */
export interface Outcome {
  readonly writes: readonly Write[];
  readonly answer: Answer;
  /** The world afterwards, where a stepwise operation has changed it. */
  readonly world?: World;
}

/** What identifies a request (contract §4): frozen before anything runs, so that nothing can change the hash. */
export interface Identity {
  readonly key: string;
  readonly fingerprint: string;
}

/** Whose keys they are: a merchant's `Idempotency-Key`s, or what the service's own pages send. Neither meets the other. */
export type KeySpace = 'once' | 'page';

export function identify(key: string, method: string, path: string, body: unknown): Identity {
  return Object.freeze({ key, fingerprint: sha256Hex(`${method} ${path} ${canonicalJson(body)}`) });
}

/** One arrival of a request. */
export interface Arrival {
  readonly world: World;
  /** On the merchant's clock. */
  readonly nowMs: number;
  readonly identity: Identity;
  readonly keySpace?: KeySpace;
  readonly requestId: string;
  readonly context: Context;
  /** Where deciding has effects of its own, it must not begin before the claim stands. */
  readonly waitsForClaim?: boolean;
}

interface Saved {
  readonly requestId: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Resolves when the claim of a request stands, to how the request began; rejects where it does not. A decision with an
 * effect outside, which asks a provider, waits for it: all else is decided beside the claim.
 */
export type Claimed = () => Promise<Beginning>;

/**
 * Runs a request once, however often it is sent: claim, commit, replay.
 *
 * The claim and the reads that the decision needs go out together. A decision only describes writes; they are
 * committed in one transaction with the saved answer, under the fence of the claim. So a crash leaves either nothing,
 * and the retry runs, or everything, and the retry replays.
 * @throws Problem `idempotency_in_progress`, `idempotency_key_reused`, `temporarily_unavailable`, or what `decide` throws
 */
export async function idempotent(
  { world, nowMs, identity, keySpace = 'once', requestId, context, waitsForClaim = false }: Arrival,
  decide: (claimed: Claimed) => Promise<Outcome>,
): Promise<Answer> {
  const claim = new Claim(world, nowMs);
  const standing = Promise.withResolvers<void>();
  standing.promise.catch(() => undefined);
  const claimed = () => standing.promise.then(() => claim.handOut());
  let early = waitsForClaim ? null : decide(claimed);
  // The claim may be refused before anybody looks at the decision.
  early?.catch(() => undefined);

  const run = makeIdempotent(
    async (_identity: Identity): Promise<string> => {
      standing.resolve();
      for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
        const { writes, answer, world: after = world } = await (early ?? decide(claimed));
        early = null;
        if (claim.isOver) {
          throw new IdempotencyInconsistentStateError('the time of the claim is over');
        }
        const saved = JSON.stringify({ requestId, ...answer } satisfies Saved);
        const carried = after.epoch === world.epoch ? [] : [claim.copyTo(after, saved)];
        const outcome = await commit([...writes, claim.completion(saved), ...carried]);
        if (outcome.kind === 'committed') {
          return saved;
        }
        if (outcome.which.includes(writes.length)) {
          // The lease was lost, or this very commit took effect and its answer was lost: look at the record again.
          throw new IdempotencyInconsistentStateError('the claim is not held any more');
        }
        // Many who want the same thing would lose to one another for ever if all tried again at once.
        await sleep(Math.random() * Math.min(PAUSE_MS * decision, PAUSE_MAX_MS));
      }
      throw new Problem('temporarily_unavailable');
    },
    {
      persistenceStore: claim,
      // One prefix for all functions: by default each has its own, and a key would hold per operation only.
      keyPrefix: keySpace,
      config: new IdempotencyConfig({
        eventKeyJmesPath: 'key',
        payloadValidationJmesPath: 'fingerprint',
        hashFunction: 'sha256',
        expiresAfterSeconds: REPLAYABLE_SECONDS,
        throwOnNoIdempotencyKey: true,
        // A cached answer would outlive a purge.
        useLocalCache: false,
        lambdaContext: context,
      }),
    },
  );

  const saved = JSON.parse(
    await run(identity)
      .catch(refuse)
      .finally(() => standing.reject(new Error('the claim was not granted'))),
  ) as Saved;
  const { status, contentType, body } = saved;
  return { status, contentType, body, ...(saved.requestId !== requestId && { replayOf: saved.requestId }) };
}

/** Powertools' refusals in the words of the contract. By name: two copies of the library have two classes. */
function refuse(error: Error): never {
  switch (error.name) {
    case 'IdempotencyAlreadyInProgressError':
    case 'IdempotencyInconsistentStateError':
      throw new Problem('idempotency_in_progress');
    case 'IdempotencyValidationError':
      throw new Problem('idempotency_key_reused');
    default:
      throw error;
  }
}

/** The same JSON value gives the same text, in whatever order its keys were sent. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
