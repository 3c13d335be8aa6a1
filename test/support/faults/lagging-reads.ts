import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import '../world/merchant.ts';

const { dynamodb } = await import('../../../shared/store/table/client.ts');

interface Read {
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
}

/**
 * Makes indexes in this process as late as an eventually consistent index may be: they show nothing, or items in
 * another order. @returns ends it
 */
export function lagIndexes(how: 'shows nothing' | 'in another order'): () => void {
  return lag(
    ({ IndexName }) => IndexName !== undefined,
    (items) => (how === 'shows nothing' ? [] : items.toReversed()),
  );
}

/**
 * Makes eventually consistent reads of the table in this process as late as they may be: they show no new writes.
 * @returns ends it
 */
export function lagReads(): () => void {
  return lag(
    ({ IndexName, ConsistentRead }) => IndexName === undefined && ConsistentRead !== true,
    () => [],
  );
}

function lag(isLate: (read: Read) => boolean, shown: (items: readonly unknown[]) => readonly unknown[]) {
  return interceptCalls(dynamodb, async (call, next) => {
    const output: { Items?: readonly unknown[] } = await next();
    if (!isLate(call.input) || output.Items === undefined) {
      return output;
    }
    const Items = shown(output.Items);
    return { ...output, Items, Count: Items.length };
  });
}
