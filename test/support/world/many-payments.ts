import { newId } from '../../../shared/domain/id.ts';
import type { PaymentId } from '../../../shared/domain/request-start.ts';
import { formatNumber } from '../../../shared/domain/resource-number.ts';
import { worldOf } from './resources.ts';

const { callTable, tableName } = await import('../../../shared/store/table/client.ts');
const { worldKey } = await import('../../../shared/store/table/keys.ts');
const { get } = await import('../../../shared/store/table/entity.ts');
const { insertJob } = await import('../../../shared/store/scheduler/job.ts');
const { pastWrites } = await import('../../../shared/store/writes.ts');

const BATCH_WRITE_MAX = 25;

/**
 * Many payments like one, with their jobs, straight into the store: creating them one by one would take minutes.
 * The first is numbered 2, after the model.
 */
export async function copyPayments(merchant: string, modelId: string, count: number): Promise<void> {
  const world = await worldOf(merchant);
  const model = await get('payment', world, modelId);
  const items = Array.from({ length: count }, (_, index) => {
    const id = newId('pay', model.createdAtMs, index) as PaymentId;
    const job = { kind: 'expire-payment', dueAtMs: model.expiresAtMs, paymentId: id } as const;
    return [
      ...pastWrites('payment', world, { ...model, id, number: formatNumber('payment', index + 2) }),
      insertJob(world, job),
    ];
  })
    .flat()
    .flatMap((change) => ('put' in change ? [change.put.item] : []));
  for (let from = 0; from < items.length; from += BATCH_WRITE_MAX) {
    const batch = items.slice(from, from + BATCH_WRITE_MAX).map((item) => ({ PutRequest: { Item: item } }));
    await callTable('BatchWriteItem', { RequestItems: { [tableName()]: batch } });
  }
  await callTable('UpdateItem', {
    Key: worldKey(world.id),
    UpdateExpression: 'SET paymentCount = :count',
    ExpressionAttributeValues: { ':count': count + 1 },
  });
}
