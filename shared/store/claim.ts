import { createHash, randomInt } from 'node:crypto';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { World } from '../domain/world.ts';
import { documents, dynamodb, tableName } from './client.ts';
import type { Change } from './commit.ts';
import { type Key, onceKey } from './keys.ts';
import { TABLE } from './table.ts';

const ATTRIBUTES = {
  statusAttr: 'status',
  dataAttr: 'answer',
  expiryAttr: TABLE.ttl,
  inProgressExpiryAttr: 'leaseEndsAtMs',
  validationKeyAttr: 'fingerprint',
} as const;

const LEASE_STEPS = 1_000;

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
 * business twice; and its records carry no fence, so that a run which lost its lease could overwrite the run that
 * took over. Here the end of the lease is the fence: it is unique, and every later write is conditional on it.
 */
export class Claim extends DynamoDBPersistenceLayer {
  readonly #world: World;
  #record: IdempotencyRecord | null = null;
  #held: { readonly key: ReturnType<typeof onceKey>; readonly leaseEndsAtMs: number } | null = null;

  constructor(world: World) {
    super({
      tableName: tableName(),
      awsSdkV3Client: dynamodb,
      keyAttr: TABLE.partitionKey,
      sortKeyAttr: TABLE.sortKey,
      ...ATTRIBUTES,
    });
    this.#world = world;
  }

  /**
   * Whether the time of this request is over. Its function was stopped then, or frozen: if it goes on much later, what
   * it decided may be long past, and in a world that was purged it would write behind the deletion.
   */
  get isOver(): boolean {
    return this.#held !== null && Date.now() >= this.#held.leaseEndsAtMs;
  }

  /** The write that completes the claim: the answer is saved if, and only if, this request still holds its lease. */
  completion(answer: string): Change {
    if (this.#held === null) {
      throw new Error('a claim is completed only while it is held');
    }
    return {
      update: {
        key: this.#held.key,
        expression: 'SET #status = :completed, answer = :answer',
        ...this.#isHeld({ ':completed': 'COMPLETED', ':answer': answer }),
      },
    };
  }

  /**
   * The saved answer in another epoch of the world: a purge ends the one in which it was claimed, and is replayed in
   * the one that it begins.
   */
  copyTo(world: World, answer: string): Change {
    if (this.#held === null || this.#record === null) {
      throw new Error('a claim is carried only while it is held');
    }
    const { idempotencyKey, expiryTimestamp, payloadHash } = this.#record;
    return {
      put: {
        item: {
          ...onceKey(world, idempotencyKey),
          [ATTRIBUTES.statusAttr]: 'COMPLETED',
          [ATTRIBUTES.expiryAttr]: expiryTimestamp,
          [ATTRIBUTES.validationKeyAttr]: payloadHash,
          [ATTRIBUTES.dataAttr]: answer,
        },
        condition: 'attribute_not_exists(pk)',
      },
    };
  }

  /** Every record has a partition of its own: with one static partition, all requests would meet in it. */
  protected override getKey(idempotencyKey: string) {
    return marshall(onceKey(this.#world, idempotencyKey));
  }

  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    // A random fraction of a millisecond tells apart two duplicates that arrive in the same one.
    const leaseEndsAtMs = (record.inProgressExpiryTimestamp ?? 0) + randomInt(LEASE_STEPS) / LEASE_STEPS;
    record.inProgressExpiryTimestamp = leaseEndsAtMs;
    this.#record = record;
    this.#held = { key: onceKey(this.#world, record.idempotencyKey), leaseEndsAtMs };
    try {
      await super._putRecord(record);
    } catch (error) {
      if (!isOwnClaim(error, leaseEndsAtMs)) {
        this.#held = null;
        throw error;
      }
      // The SDK repeated a put whose answer was lost: the record that is in the way is ours.
    }
  }

  /** Nothing to do: the answer was saved in the business transaction. */
  protected override async _updateRecord(): Promise<void> {}

  /** Gives the key free after a refusal: only a claim that is still held and not completed. */
  protected override async _deleteRecord(): Promise<void> {
    if (this.#held === null) {
      return;
    }
    const { condition, names, values } = this.#isHeld({});
    const { key } = this.#held;
    this.#held = null;
    await documents
      .send(
        new DeleteCommand({
          TableName: tableName(),
          Key: key,
          ConditionExpression: condition,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: values,
        }),
      )
      // A claim that cannot be released ends with its lease; the refusal matters more than the reason.
      .catch(() => undefined);
  }

  #isHeld(values: Readonly<Record<string, string>>) {
    return {
      condition: '#status = :inprogress AND leaseEndsAtMs = :lease',
      names: { '#status': ATTRIBUTES.statusAttr },
      values: { ...values, ':inprogress': 'INPROGRESS', ':lease': this.#held?.leaseEndsAtMs },
    };
  }
}

function isOwnClaim(error: unknown, leaseEndsAtMs: number): boolean {
  const { name, existingRecord } = error as { name?: string; existingRecord?: IdempotencyRecord };
  return (
    name === 'IdempotencyItemAlreadyExistsError' &&
    existingRecord?.getStatus() === 'INPROGRESS' &&
    existingRecord.inProgressExpiryTimestamp === leaseEndsAtMs
  );
}
