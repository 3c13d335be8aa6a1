import { createHash, randomInt } from 'node:crypto';
import { IdempotencyItemAlreadyExistsError } from '@aws-lambda-powertools/idempotency';
import { BasePersistenceLayer, IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Beginning } from '../domain/beginning.ts';
import { SECOND_MS } from '../domain/clock.ts';
import { randomBase62 } from '../domain/secret.ts';
import type { World } from '../domain/world.ts';
import { documents, tableName } from './client.ts';
import type { Condition, Write } from './commit.ts';
import { type Key, onceKey } from './keys.ts';
import { TABLE } from './table.ts';

const LEASE_STEPS = 1_000;
/** 131 random bits. */
const SECRET_CHARS = 22;

/** A claim as it is stored. */
interface ClaimItem extends Key {
  readonly status: 'INPROGRESS' | 'COMPLETED';
  /** In seconds. */
  readonly ttl: number;
  readonly leaseEndsAtMs: number;
  readonly fingerprint: string;
  /** Gone once the claim is completed. */
  readonly beginning?: Beginning;
  readonly answer?: string;
}

/** Where the answer to a merchant's `Idempotency-Key` is saved: Powertools hashes what it takes from the request as JSON. */
export function savedAnswerKey(world: World, idempotencyKey: string): Key {
  const hash = createHash('sha256').update(JSON.stringify(idempotencyKey)).digest('base64');
  return onceKey(world, `once#${hash}`);
}

/**
 * One request's hold on its Idempotency-Key: Powertools claims and replays through it; the answer is saved by
 * `completion`, inside the transaction that writes the business rows.
 *
 * Powertools alone would save the answer in a write of its own after the business, so that a crash in between runs the
 * business twice; its records carry no fence, so that a run which lost its lease could overwrite the run that took over;
 * and a run that takes over would begin anew. Here the end of the lease is the fence: it is unique, and every later
 * write is conditional on it; and until it is completed, the record keeps how the request began.
 */
export class Claim extends BasePersistenceLayer {
  readonly #world: World;
  readonly #nowMs: number;
  #held: ClaimItem | null = null;
  #hash = '';
  /** Whether somebody outside may have been asked for what is derived from how the request began. */
  #isKnownOutside = false;

  /** @param nowMs on the merchant's clock */
  constructor(world: World, nowMs: number) {
    super();
    this.#world = world;
    this.#nowMs = nowMs;
  }

  /**
   * Whether the time of this request is over. Its function was stopped then, or frozen: if it goes on much later, what
   * it decided may be long past, and in a world that was purged it would write behind the deletion.
   */
  get isOver(): boolean {
    return this.#held !== null && Date.now() >= this.#held.leaseEndsAtMs;
  }

  /** How the request began. From now on a refusal leaves it to whoever sends the request again. */
  handOut(): Beginning {
    this.#isKnownOutside = true;
    return this.#current.beginning as Beginning;
  }

  /** The write that completes the claim: the answer is saved if, and only if, this request still holds its lease. */
  completion(answer: string): Write {
    const { pk, sk } = this.#current;
    const { condition, names, values } = whileHeld(this.#current);
    return {
      update: {
        key: { pk, sk },
        expression: 'SET #status = :completed, answer = :answer REMOVE beginning',
        condition,
        names,
        values: { ...values, ':completed': 'COMPLETED', ':answer': answer },
      },
    };
  }

  /**
   * The saved answer in another epoch of the world: a purge ends the one in which it was claimed, and is replayed in
   * the one that it begins.
   */
  copyTo(world: World, answer: string): Write {
    const { beginning: _, ...claim } = this.#current;
    const item = { ...claim, ...onceKey(world, this.#hash), status: 'COMPLETED', answer };
    return { put: { item, condition: 'attribute_not_exists(pk)' } };
  }

  /**
   * Claims the key where nobody has. Where the lease of one who did has run out, it is taken over: the same request goes
   * on from how it began then, a corrected one begins anew.
   */
  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    const { idempotencyKey, expiryTimestamp, inProgressExpiryTimestamp = 0, payloadHash } = record;
    let claim: ClaimItem = {
      ...onceKey(this.#world, idempotencyKey),
      status: 'INPROGRESS',
      ttl: expiryTimestamp ?? 0,
      // A random fraction of a millisecond tells apart two duplicates that arrive in the same one.
      leaseEndsAtMs: inProgressExpiryTimestamp + randomInt(LEASE_STEPS) / LEASE_STEPS,
      fingerprint: payloadHash ?? '',
      beginning: { atMs: this.#nowMs, secret: randomBase62(SECRET_CHARS) } as Beginning,
    };
    let inTheWay = await putClaim(claim, {
      condition: 'attribute_not_exists(pk) OR #ttl < :now',
      names: { '#ttl': TABLE.ttl },
      values: { ':now': Date.now() / SECOND_MS },
    });
    if (inTheWay?.status === 'INPROGRESS' && inTheWay.leaseEndsAtMs < Date.now()) {
      const { fingerprint, beginning } = inTheWay;
      if (fingerprint === claim.fingerprint && beginning !== undefined) {
        claim = { ...claim, beginning };
        this.#isKnownOutside = true;
      }
      inTheWay = await putClaim(claim, whileHeld(inTheWay));
    }
    if (inTheWay !== null) {
      throw new IdempotencyItemAlreadyExistsError('the key is claimed', toRecord(idempotencyKey, inTheWay));
    }
    this.#hash = idempotencyKey;
    this.#held = claim;
  }

  /** Nothing to do: the answer was saved in the business transaction. */
  protected override async _updateRecord(): Promise<void> {}

  /** Gives free the key after a refusal, or only the lease: of a claim that is still held and not completed. */
  protected override async _deleteRecord(): Promise<void> {
    if (this.#held === null) {
      return;
    }
    const { pk, sk } = this.#held;
    const { condition, names, values } = whileHeld(this.#held);
    this.#held = null;
    const write = {
      TableName: tableName(),
      Key: { pk, sk },
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    };
    const command = this.#isKnownOutside
      ? new UpdateCommand({
          ...write,
          UpdateExpression: 'SET leaseEndsAtMs = :over',
          ExpressionAttributeValues: { ...values, ':over': 0 },
        })
      : new DeleteCommand(write);
    // A claim that cannot be released ends with its lease; the refusal matters more than the reason.
    await documents.send(command as DeleteCommand).catch(() => undefined);
  }

  protected override _getRecord(): never {
    throw new Error('a claim that is in the way comes with the refusal of the put');
  }

  get #current(): ClaimItem {
    if (this.#held === null) {
      throw new Error('a claim is used only while it is held');
    }
    return this.#held;
  }
}

/** The condition that a claim is still under the lease that it was read with, or put with. */
function whileHeld({ leaseEndsAtMs }: ClaimItem) {
  return {
    condition: '#status = :inprogress AND leaseEndsAtMs = :lease',
    names: { '#status': 'status' },
    values: { ':inprogress': 'INPROGRESS', ':lease': leaseEndsAtMs },
  };
}

/** @returns the claim that is in the way, or null where this one is put */
async function putClaim(
  claim: ClaimItem,
  { condition, names, values }: Condition,
): Promise<ClaimItem | null> {
  try {
    await documents.send(
      new PutCommand({
        TableName: tableName(),
        Item: claim,
        ConditionExpression: condition,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return null;
  } catch (error) {
    const { name, Item: found } = error as Error & { Item?: Parameters<typeof unmarshall>[0] };
    if (name !== 'ConditionalCheckFailedException' || found === undefined) {
      throw error;
    }
    const inTheWay = unmarshall(found) as ClaimItem;
    // The SDK repeated a put whose answer was lost: the claim that is in the way is this one.
    return inTheWay.leaseEndsAtMs === claim.leaseEndsAtMs ? null : inTheWay;
  }
}

function toRecord(idempotencyKey: string, claim: ClaimItem): IdempotencyRecord {
  const { status, ttl, leaseEndsAtMs, fingerprint, answer } = claim;
  return new IdempotencyRecord({
    idempotencyKey,
    status,
    expiryTimestamp: ttl,
    inProgressExpiryTimestamp: leaseEndsAtMs,
    payloadHash: fingerprint,
    ...(answer !== undefined && { responseData: answer }),
  });
}
