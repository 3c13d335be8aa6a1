import { setTimeout as sleep } from 'node:timers/promises';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { Context } from 'aws-lambda';
import { sha256Hex } from '../domain/secret.ts';
import { worldNow } from '../domain/world.ts';
import { isProblem, Problem } from '../errors/problem.ts';
import { Claim, claimLost, type SteppedClaim } from '../store/requests/claim.ts';
import { commit, type Write } from '../store/table/commit.ts';
import { getWorld, type Moment } from '../store/worlds/world.ts';
import type { HttpResponse } from './responder.ts';

/** How long a response can be replayed, in real time (contract §4). */
const REPLAYABLE_SECONDS = 24 * 60 * 60;
/** How many times a request is decided when its commits conflict. */
const DECISIONS_MAX = 40;
const PAUSE_MS = 5;
const PAUSE_MAX_MS = 100;

/** The result of a request: writes for one transaction, and the response if they are committed. */
export interface Outcome {
  readonly writes: readonly Write[];
  readonly response: HttpResponse;
}

/** Identifies a request (contract §4). Frozen, so that nothing can change it after it was computed. */
export interface RequestIdentity {
  readonly key: string;
  readonly fingerprint: string;
}

export function identify(key: string, method: string, path: string, body: unknown): RequestIdentity {
  return Object.freeze({ key, fingerprint: sha256Hex(`${method} ${path} ${canonicalJson(body)}`) });
}

/** A request as it arrives: the first time, or as a retry. */
export interface IdempotentRequest extends Moment {
  readonly identity: RequestIdentity;
  /**
   * Separates merchants' `Idempotency-Key`s (`api`) from the keys that the service's own pages send (`page`), whose
   * forms are decided only once the claim stands.
   */
  readonly keySpace?: 'api' | 'page';
  readonly requestId: string;
  readonly context: Context;
  /**
   * The request works in several commits and can be resumed after each: soon after a crash, a retry may continue. It is
   * decided only once the claim stands.
   */
  readonly isStepwise?: boolean;
  /**
   * The key that makes the request, where its response has a secret: the response is replayed to this key alone. Null
   * where anybody may see the response that may make the request.
   */
  readonly secretFor?: string | null;
  /** Written beside each commit. Never rejects. */
  readonly besideCommit?: (response: HttpResponse) => Promise<void>;
}

type SavedResponse = Pick<HttpResponse, 'status' | 'contentType' | 'body'> & {
  readonly requestId: string;
  readonly secretFor?: string;
};

/**
 * Runs a request once, however often it is sent: claim, commit, replay.
 *
 * A decision that loses a race is made again, with the world and time of that moment. A commit that was decided before
 * a move of the clock conflicts with the changes of that move.
 *
 * A decision only describes writes; they are committed in one transaction with the claim of the key and the saved
 * response. So after a crash either nothing is written and the retry runs, or everything is written and the retry
 * replays the response.
 * @throws Problem `idempotency_in_progress`, `idempotency_key_reused`, `temporarily_unavailable`; `permission_denied` for
 * a replay that the caller may not see; errors of `decide`
 */
export async function idempotent(
  request: IdempotentRequest,
  decide: (claim: SteppedClaim, moment: Moment) => Promise<Outcome>,
): Promise<HttpResponse> {
  const {
    world,
    nowMs,
    identity,
    keySpace = 'api',
    requestId,
    isStepwise = false,
    secretFor = null,
  } = request;
  // A payer who presses a button twice must not use up a second number.
  const mode = isStepwise ? 'stepwise' : keySpace === 'page' ? 'first' : 'with commit';
  const claim = new Claim(world, nowMs, mode);
  let refusal: unknown = null;
  const run = makeIdempotent(
    async (_identity: RequestIdentity) => {
      try {
        return await commitDecision(request, claim, decide);
      } catch (error) {
        if (error instanceof Problem) {
          refusal = error;
          // What another request with this key has done is replayed, even where it could not be done again.
          await claim.store();
        }
        throw error;
      }
    },
    { persistenceStore: claim, ...powertoolsOptions(request) },
  );

  const saved = JSON.parse(
    await run(identity)
      .catch((error: Error) => refuse(error, claim.isStepped))
      .finally(() => claim.close()),
  ) as SavedResponse;
  if (saved.requestId !== requestId) {
    requireReplayable(saved, secretFor, refusal);
  }
  const { status, contentType, body } = saved;
  return { status, contentType, body, ...(saved.requestId !== requestId && { replayOf: saved.requestId }) };
}

function powertoolsOptions({ keySpace = 'api', context }: IdempotentRequest) {
  return {
    // By default each function has its own prefix, so one key could be used once for each operation.
    keyPrefix: keySpace,
    config: new IdempotencyConfig({
      eventKeyJmesPath: 'key',
      payloadValidationJmesPath: 'fingerprint',
      hashFunction: 'sha256',
      expiresAfterSeconds: REPLAYABLE_SECONDS,
      throwOnNoIdempotencyKey: true,
      // A cached response would outlive a purge.
      useLocalCache: false,
      lambdaContext: context,
    }),
  };
}

/** The claim as decisions see it. */
function handedOut(claim: Claim): SteppedClaim {
  return {
    stands: () => claim.handOut(),
    newStart: claim.newStart,
    firstStep: async (writes, after) => {
      const outcome = await claim.firstStep(writes, after);
      if (outcome === 'lost') {
        throw claimLost();
      }
      return outcome === 'committed';
    },
  };
}

/**
 * Commits a decision under the fence of the claim, and decides again where the commit conflicts.
 * @returns the saved response as JSON
 */
async function commitDecision(
  { world, nowMs, requestId, secretFor = null, besideCommit }: IdempotentRequest,
  claim: Claim,
  decide: (claim: SteppedClaim, moment: Moment) => Promise<Outcome>,
): Promise<string> {
  const handed = handedOut(claim);
  let moment: Moment = { world, nowMs };
  for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
    const decided = await whileClockStands(moment, decide(handed, moment));
    if (decided === null) {
      moment = await momentAfter(moment);
      continue;
    }
    const { writes, response } = decided;
    if (claim.isOver) {
      throw claimLost();
    }
    const saved = JSON.stringify({
      requestId,
      ...(secretFor !== null && { secretFor }),
      ...response,
    } satisfies SavedResponse);
    const [outcome] = await Promise.all([
      commit([...writes, claim.completion(saved)], 'commit request'),
      besideCommit?.(response),
    ]);
    if (outcome.kind === 'committed') {
      return saved;
    }
    if (outcome.failed.includes(writes.length)) {
      // The lease was lost, or an earlier try of this commit took effect: Powertools reads the claim again.
      throw claimLost();
    }
    // A random pause: requests that conflict and all retry at the same time would conflict again.
    await sleep(Math.random() * Math.min(PAUSE_MS * decision, PAUSE_MAX_MS));
    moment = await momentAfter(moment);
  }
  throw new Problem('temporarily_unavailable');
}

/**
 * Refuses a replay that this request would not get as the first one (contract §4): it lacks a permission that only its
 * own decision finds missing, or the response has a secret and another key made the request.
 * @param refusal why its own decision was refused, if it was
 * @throws Problem `permission_denied`
 */
function requireReplayable(saved: SavedResponse, secretFor: string | null, refusal: unknown): void {
  // Any other refusal is about what has changed since, so the response is still replayed.
  if (isProblem(refusal, 'permission_denied')) {
    throw refusal;
  }
  if (secretFor !== null && saved.secretFor !== secretFor) {
    throw new Problem('permission_denied', {
      detail: 'The response has a secret, so it is replayed only to the key that made the request.',
      details: { required: [] },
    });
  }
}

/** The current world and time. After a purge the request continues in the epoch in which it started. */
async function momentAfter({ world }: Moment): Promise<Moment> {
  const current = await getWorld(world.id);
  const next = current.epoch === world.epoch ? current : world;
  return { world: next, nowMs: worldNow(next, Date.now()) };
}

/**
 * Awaits a decision. If it failed and the clock was moved meanwhile, returns null so that the decision is made again.
 * @throws the error of the decision, in every other case
 */
async function whileClockStands(moment: Moment, decision: Promise<Outcome>): Promise<Outcome | null> {
  try {
    return await decision;
  } catch (error) {
    const isOutdated =
      isProblem(error, 'temporarily_unavailable') &&
      (await momentAfter(moment)).world.clockVersion !== moment.world.clockVersion;
    if (isOutdated) {
      return null;
    }
    throw error;
  }
}

/**
 * Throws Powertools' errors as Problems. They are compared by name, since two copies of the library have two classes.
 * @param isStepped whether a first step is committed: a refusal would then wrongly say that nothing has changed
 */
function refuse(error: Error, isStepped: boolean): never {
  if (isStepped && error instanceof Problem) {
    throw new Problem('temporarily_unavailable');
  }
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

/** JSON with sorted keys: the same value gives the same text, in whatever order its keys were sent. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
