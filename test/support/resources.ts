import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import type { Client, Sent } from './api.ts';
import './merchant.ts';

const { documents, tableName } = await import('../../shared/store/client.ts');
const { worldKey } = await import('../../shared/store/keys.ts');
const { commit } = await import('../../shared/store/commit.ts');
const { findPayment, replacePayment } = await import('../../shared/store/payment.ts');
const { findWorld } = await import('../../shared/store/world.ts');

/** The world of a merchant, as the store has it. */
export async function worldOf(merchant: string) {
  const world = await findWorld(worldIdOf(merchant, 'test'));
  if (world === null) {
    throw new Error('the merchant has no world');
  }
  return world;
}

export async function createPayment(api: Client, body: Record<string, unknown> = {}) {
  const { json } = await api(operations.createPayment, {
    body: { amount: { currency: 'THB', minor: 1_000 }, method: 'promptpay', ...body },
  });
  return json;
}

/** Pays a payment at the edge of the world: what the provider's word would do. */
export async function pay(merchant: string, paymentId: string, succeededAtMs = Date.now()): Promise<void> {
  const world = await worldOf(merchant);
  const payment = await findPayment(world, paymentId);
  if (payment === null) {
    throw new Error('there is no such payment');
  }
  const paid = { ...payment, version: payment.version + 1, status: 'succeeded', succeededAtMs } as const;
  await commit([replacePayment(world, paid)]);
}

export async function createPaidPayment(api: Client, merchant: string, minor = 1_000) {
  const payment = await createPayment(api, { amount: { currency: 'THB', minor } });
  await pay(merchant, payment.id);
  return payment;
}

export async function createLink(api: Client, body: Record<string, unknown> = {}) {
  const amount = { type: 'fixed', fixed: { currency: 'THB', minor: 500 } };
  const { json } = await api(operations.createPaymentLink, { body: { amount, ...body } });
  return json;
}

/** A request that a row accepts, with the resource that its path names made first. */
export async function acceptableRequest(row: Operation, api: Client, merchant: string): Promise<Sent> {
  const body = row.body === undefined ? {} : { body: row.example ?? {} };
  const id = await resourceFor(row, api, merchant);
  return id === null ? body : { params: { id }, ...body };
}

/** Another acceptable body for the same request: one with the optional id of the path, or with another description. */
export function changedBody(row: Operation, { params, body }: Sent): unknown {
  const change = row.bodyId === undefined ? { description: 'changed' } : { [row.bodyId]: params?.id };
  return { ...(body as object), ...change };
}

async function resourceFor(row: Operation, api: Client, merchant: string): Promise<string | null> {
  const kind = row.errors.find((code) => code.endsWith('_not_found'));
  switch (kind) {
    case undefined:
      return null;
    case 'payment_not_found':
      return row.path.endsWith('/refunds')
        ? (await createPaidPayment(api, merchant, 100_000)).id
        : (await createPayment(api)).id;
    case 'refund_not_found': {
      const { id } = await createPaidPayment(api, merchant);
      return (await api(operations.requestRefund, { params: { id } })).json.id;
    }
    case 'payment_link_not_found':
      return (await createLink(api)).id;
    default:
      throw new Error(`say here how a resource is made whose absence answers ${kind}`);
  }
}

/** Sets the merchant's clock so far ahead of real time. */
export async function passTime(merchant: string, aheadMs: number): Promise<void> {
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: worldKey(worldIdOf(merchant, 'test')),
      UpdateExpression: 'SET clockOffsetMs = :ahead',
      ExpressionAttributeValues: { ':ahead': aheadMs },
    }),
  );
}
