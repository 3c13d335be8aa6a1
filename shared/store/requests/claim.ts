import { createHash, randomInt } from 'node:crypto';
import {
  IdempotencyInconsistentStateError,
  IdempotencyItemAlreadyExistsError,
} from '@aws-lambda-powertools/idempotency';
import { BasePersistenceLayer, IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { SECOND_MS } from '../../domain/clock.ts';
import type { RequestClaim, RequestStart } from '../../domain/request-start.ts';
import { randomBase62 } from '../../domain/secret.ts';
import type { World } from '../../domain/world.ts';
import { callTable, type StepName } from '../table/client.ts';
import { type Condition, commit, type Write, writeOne } from '../table/commit.ts';
import { insert, update } from '../table/item.ts';
import { claimKey, type Key } from '../table/keys.ts';
import { pack, unpack } from '../table/packed.ts';
import { TABLE } from '../table/table.ts';

/** As many parts of a millisecond as a number of today has room for. */
const LEASE_STEPS = 4_096;
/** How long after its last heartbeat a stepwise operation can be taken over, and how many it sends in that time. */
const ALIVE_MS = 2_000;
const SIGNS_OF_LIFE = 4;
/** 131 random bits. */
const SECRET_CHARS = 22;
const IS_UNSTEPPED = 'attribute_not_exists(isStepped)';

/** A claim is stored before the decision, or, for one commit less, with it: unless the decision asks for it earlier. */
export type ClaimMode = 'stepwise' | 'first' | 'with commit';

/** A claim of an Idempotency-Key, as it is stored. */
interface ClaimItem extends Key {
  readonly status: 'INPROGRESS' | 'COMPLETED';
  /** Epoch seconds. */
  readonly ttl: number;
  readonly leaseEndsAtMs: number;
  readonly fingerprint: string;
  /** The process of a stepwise operation counts as alive until then, in real time. */
  readonly aliveUntilMs?: number;
  /** Removed when the claim is completed. */
  readonly requestStart?: RequestStart;
  /** Set with the first step of a stepwise operation: from then on the key belongs to this request. */
  readonly isStepped?: true;
  /** Packed. */
  readonly savedResponse?: Uint8Array;
}

/** The claim of a stepwise operation, as a decision sees it. */
export interface SteppedClaim extends RequestClaim {
  /**
   * Commits the first step. From then on the request is finished or replayed, never refused.
   * @param after the world after the step
   * @returns false where a condition did not hold: nothing is written
   */
  readonly firstStep: (writes: readonly Write[], after: World) => Promise<boolean>;
}

/** The key of the response saved under a merchant's `Idempotency-Key`: hashed as JSON, as Powertools does. */
export function savedResponseKey(world: World, idempotencyKey: string): Key {
  const hash = createHash('sha256').update(JSON.stringify(idempotencyKey)).digest('base64');
  return claimKey(world, `api#${hash}`);
}

/** For Powertools: it reads the claim of the key, and replays its response or runs the request again. */
export function claimLost(): Error {
  return new IdempotencyInconsistentStateError('the claim is no longer held');
}

/**
 * One request's hold on its Idempotency-Key: Powertools claims and replays through it; the response is saved by
 * `completion`, inside the transaction that writes the business rows.
 *
 * Powertools alone has three gaps. It saves the response in a write of its own, so a crash before that write runs the
 * request twice. Its records have no fence, so a run that lost its lease could overwrite the run that took over. And a
 * run that takes over would start with new ids. Here the end of the lease is the fence: it is unique, and every later
 * write is conditional on it. And until the claim is completed, its item stores the request's `RequestStart`.
 *
 * A claim `with commit` is stored when the decision asks for it or refuses; else its completion is the first that the
 * store gets to know of it, on the condition that no other request has the key. Where one has, Powertools claims anew,
 * and is told of the other.
 */
export class Claim extends BasePersistenceLayer {
  #world: World;
  #held: ClaimItem | null = null;
  /** What Powertools asked to store at last. */
  #asked: IdempotencyRecord | null = null;
  #storing: Promise<void> | null = null;
  #isStepped = false;
  /** Whether a provider may already know ids that were derived from the `RequestStart`. */
  #isKnownOutside = false;

  /** The start of a new request; a request that takes over a claim uses the stored one. */
  readonly newStart: RequestStart;
  readonly #mode: ClaimMode;
  #life: NodeJS.Timeout | undefined;

  /**
   * @param nowMs on the merchant's clock
   * @param mode `stepwise`: another request may take over as soon as this one's heartbeats stop
   */
  constructor(world: World, nowMs: number, mode: ClaimMode) {
    super();
    this.#world = world;
    this.#mode = mode;
    this.newStart = { atMs: nowMs, secret: randomBase62(SECRET_CHARS) } as RequestStart;
  }

  /** Stops the heartbeats. */
  close(): void {
    clearInterval(this.#life);
  }

  /**
   * Whether the lease of this request has run out. A frozen function can resume long after that: its decision may be
   * outdated, and in a purged world it would write items that are never deleted.
   */
  get isOver(): boolean {
    return Date.now() >= (this.#held?.leaseEndsAtMs ?? this.#record.inProgressExpiryTimestamp ?? 0);
  }

  /** Whether a first step of this request stands: it can only be finished, and no longer be refused. */
  get isStepped(): boolean {
    return this.#isStepped;
  }

  /**
   * Commits the first step of a stepwise operation, under the fence of the lease, and marks the claim with it: the key
   * then belongs to this request, and the same key with another body is refused.
   * @param after the world after the step: where a purge began a new epoch, the claim goes on in it
   * @returns `lost` where this request no longer holds its claim, `conflict` where another condition did not hold
   */
  async firstStep(writes: readonly Write[], after: World): Promise<'committed' | 'conflict' | 'lost'> {
    const next: ClaimItem = {
      ...this.#current,
      ...claimKey(after, this.#record.idempotencyKey),
      isStepped: true,
    };
    const mark = updateHeld(this.#current, 'SET isStepped = :true', { ':true': true });
    const isCarried = after.epoch !== this.#world.epoch;
    const outcome = await commit([...writes, mark, ...(isCarried ? [insert({ ...next })] : [])]);
    if (outcome.kind === 'conflict') {
      return outcome.failed.includes(writes.length) ? 'lost' : 'conflict';
    }
    this.#held = next;
    this.#isStepped = true;
    this.#world = after;
    return 'committed';
  }

  /**
   * Stores the claim, if it is not.
   * @throws IdempotencyInconsistentStateError if another request has the key
   */
  async store(): Promise<void> {
    this.#storing ??= this.#take();
    try {
      await this.#storing;
    } catch (error) {
      throw error instanceof IdempotencyItemAlreadyExistsError ? claimLost() : error;
    }
  }

  /** The request's `RequestStart`. After this call a refusal keeps it stored, for a retry of the request to reuse. */
  async handOut(): Promise<RequestStart> {
    await this.store();
    this.#isKnownOutside = true;
    return this.#current.requestStart as RequestStart;
  }

  /**
   * The write that completes the claim: it saves the response only if this request still holds its lease, or, where its
   * claim is not stored, if no other request has the key.
   */
  completion(response: string): Write {
    const savedResponse = pack(response);
    if (this.#held === null) {
      const { requestStart: _, ...item } = this.#item;
      return { put: { ...isFree(), item: { ...item, status: 'COMPLETED', savedResponse } } };
    }
    return updateHeld(
      this.#current,
      'SET #status = :completed, savedResponse = :response REMOVE requestStart, aliveUntilMs, isStepped',
      { ':completed': 'COMPLETED', ':response': savedResponse },
    );
  }

  /** Claims the key, at once or when it is needed: a second time at once, to be told of the other request. */
  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    const isLater = this.#mode === 'with commit' && this.#asked === null;
    this.#asked = record;
    this.#storing = isLater ? null : this.#take();
    await this.#storing;
  }

  /**
   * Claims the key, if it is free or the lease of its claim has run out. The same request then takes over the stored
   * `RequestStart`; a corrected request starts with a new one.
   * @throws IdempotencyItemAlreadyExistsError if another request has the key
   */
  async #take(): Promise<void> {
    let claim = this.#item;
    let isTakenOver = false;
    let inTheWay = await putClaim(claim, isFree());
    if (inTheWay?.status === 'INPROGRESS' && endOf(inTheWay) < Date.now()) {
      const { fingerprint, requestStart, isStepped } = inTheWay;
      const isSame = fingerprint === claim.fingerprint;
      if (isSame && requestStart !== undefined) {
        claim = { ...claim, requestStart, ...(isStepped && { isStepped }) };
        isTakenOver = true;
      }
      if (isSame || isStepped !== true) {
        inTheWay = await putClaim(claim, whileSilent(inTheWay), 'take over claim');
      }
    }
    if (inTheWay === undefined) {
      // The other request was refused just now, and has released its claim: the key is free again.
      return this.#take();
    }
    if (inTheWay !== null) {
      const record = toRecord(this.#record.idempotencyKey, inTheWay);
      throw new IdempotencyItemAlreadyExistsError('the key is claimed', record);
    }
    this.#held = claim;
    this.#isStepped = claim.isStepped === true;
    this.#isKnownOutside = isTakenOver;
    if (this.#mode === 'stepwise') {
      this.#life = setInterval(() => this.#showLife(), ALIVE_MS / SIGNS_OF_LIFE).unref();
    }
  }

  #showLife(): void {
    if (this.#held === null) {
      return;
    }
    const until = { ':until': Date.now() + ALIVE_MS };
    // If it fails, the next one may succeed; if the claim is lost or completed, nothing depends on it.
    writeOne(updateHeld(this.#held, 'SET aliveUntilMs = :until', until)).catch(() => undefined);
  }

  /** Nothing to do: the response was saved in the business transaction. */
  protected override async _updateRecord(): Promise<void> {}

  /**
   * After a refusal: deletes a held claim, or only ends its lease where a provider may know its `RequestStart`, or
   * where a first step stands.
   */
  protected override async _deleteRecord(): Promise<void> {
    // A decision can fail while it is being stored.
    await this.#storing?.catch(() => undefined);
    if (this.#held === null) {
      return;
    }
    const { pk, sk } = this.#held;
    const held = whileHeld(this.#held);
    const release: Write =
      this.#isKnownOutside || this.#isStepped
        ? updateHeld(this.#held, 'SET leaseEndsAtMs = :over', { ':over': 0 })
        : // If the store's response to the first step was lost, the step may stand.
          { remove: { ...held, key: { pk, sk }, condition: `${held.condition} AND ${IS_UNSTEPPED}` } };
    this.#held = null;
    // A claim that cannot be released ends with its lease, and the caller must see the refusal, not this failure.
    await writeOne(release).catch(() => undefined);
  }

  protected override _getRecord(): never {
    throw new Error('never called: the failed put returns the existing claim');
  }

  get #record(): IdempotencyRecord {
    if (this.#asked === null) {
      throw new Error('the claim is asked for by Powertools first');
    }
    return this.#asked;
  }

  /** The claim of a new request. */
  get #item(): ClaimItem {
    const { idempotencyKey, expiryTimestamp, inProgressExpiryTimestamp = 0, payloadHash } = this.#record;
    return {
      ...claimKey(this.#world, idempotencyKey),
      status: 'INPROGRESS',
      ttl: expiryTimestamp ?? 0,
      // A random fraction makes the fence unique, even for two duplicates in the same millisecond.
      leaseEndsAtMs: inProgressExpiryTimestamp + randomInt(LEASE_STEPS) / LEASE_STEPS,
      fingerprint: payloadHash ?? '',
      requestStart: this.newStart,
      ...(this.#mode === 'stepwise' && { aliveUntilMs: Date.now() + ALIVE_MS }),
    };
  }

  get #current(): ClaimItem {
    if (this.#held === null) {
      throw new Error('the claim is not held');
    }
    return this.#held;
  }
}

/** The condition that no request has the key: its last one is not replayed any more. */
function isFree(): Condition {
  return {
    condition: 'attribute_not_exists(pk) OR #ttl < :now',
    names: { '#ttl': TABLE.ttl },
    values: { ':now': Date.now() / SECOND_MS },
  };
}

/** When a claim can be taken over, in real time. */
function endOf({ leaseEndsAtMs, aliveUntilMs = leaseEndsAtMs }: ClaimItem): number {
  return Math.min(leaseEndsAtMs, aliveUntilMs);
}

/** The condition that a claim is as it was read, without a heartbeat since. */
function whileSilent(claim: ClaimItem): Condition {
  const held = whileHeld(claim);
  return claim.aliveUntilMs === undefined
    ? held
    : {
        ...held,
        condition: `${held.condition} AND aliveUntilMs = :read`,
        values: { ...held.values, ':read': claim.aliveUntilMs },
      };
}

/** The condition that a claim still has the lease with which it was read or put. */
function whileHeld({ leaseEndsAtMs }: ClaimItem) {
  return {
    condition: '#status = :inprogress AND leaseEndsAtMs = :lease',
    names: { '#status': 'status' },
    values: { ':inprogress': 'INPROGRESS', ':lease': leaseEndsAtMs },
  };
}

/** Changes a claim that still has the lease with which it was read or put. */
function updateHeld(claim: ClaimItem, expression: string, more: Readonly<Record<string, unknown>>): Write {
  const { pk, sk } = claim;
  const held = whileHeld(claim);
  return update({ pk, sk }, expression, { ...held, values: { ...held.values, ...more } });
}

/** @returns null if this claim was put, else the claim that holds the key; undefined if the one to take over is gone */
async function putClaim(
  claim: ClaimItem,
  { condition, names, values }: Condition,
  step?: StepName,
): Promise<ClaimItem | undefined | null> {
  const putting = {
    Item: claim,
    ConditionExpression: condition,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  try {
    await callTable('PutItem', putting, step);
    return null;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) {
      throw error;
    }
    // The document client leaves the items in errors as they come.
    const inTheWay = error.Item && (unmarshall(error.Item) as ClaimItem);
    // If the client repeated a put whose response was lost, the existing claim is this one.
    const isThisOne =
      inTheWay?.leaseEndsAtMs === claim.leaseEndsAtMs &&
      inTheWay.requestStart?.secret === claim.requestStart?.secret;
    return isThisOne ? null : inTheWay;
  }
}

function toRecord(idempotencyKey: string, claim: ClaimItem): IdempotencyRecord {
  const { status, ttl, leaseEndsAtMs, fingerprint, savedResponse } = claim;
  return new IdempotencyRecord({
    idempotencyKey,
    status,
    expiryTimestamp: ttl,
    inProgressExpiryTimestamp: leaseEndsAtMs,
    payloadHash: fingerprint,
    ...(savedResponse !== undefined && { responseData: unpack(savedResponse) }),
  });
}
