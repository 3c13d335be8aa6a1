import './merchant.ts';

const { dynamodb } = await import('../../shared/store/client.ts');

interface Read {
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
}

interface ReadResult {
  readonly output: { Items?: readonly unknown[]; Count?: number };
}

/**
 * Shows what an eventually consistent index may show in this process: nothing of what was written, or what was
 * written, in another order. @returns ends it
 */
export function lagIndexes(how: 'shows nothing' | 'in another order'): () => void {
  return lag(
    ({ IndexName }) => IndexName !== undefined,
    (items) => (how === 'shows nothing' ? [] : items.toReversed()),
  );
}

/**
 * Shows what an eventually consistent read of the table itself may show in this process: nothing of what was written
 * since. @returns ends it
 */
export function lagReads(): () => void {
  return lag(
    ({ IndexName, ConsistentRead }) => IndexName === undefined && ConsistentRead !== true,
    () => [],
  );
}

function lag(isLate: (read: Read) => boolean, shown: (items: readonly unknown[]) => readonly unknown[]) {
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const answer = (await next(args)) as ReadResult & Awaited<ReturnType<typeof next>>;
      if (isLate(args.input as Read) && answer.output.Items !== undefined) {
        const items = shown(answer.output.Items);
        Object.assign(answer.output, { Items: items, Count: items.length });
      }
      return answer;
    },
    { step: 'initialize', priority: 'low', name: 'lag', override: true },
  );
  return () => void dynamodb.middlewareStack.remove('lag');
}
