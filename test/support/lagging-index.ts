import './merchant.ts';

const { dynamodb } = await import('../../shared/store/client.ts');

interface Answer {
  readonly output: { Items?: readonly unknown[]; Count?: number };
}

/**
 * Shows what an eventually consistent index may show in this process: nothing of what was written, or what was
 * written, in another order. @returns ends it
 */
export function lagIndexes(how: 'shows nothing' | 'in another order'): () => void {
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const answer = (await next(args)) as Answer & Awaited<ReturnType<typeof next>>;
      if ((args.input as { IndexName?: string }).IndexName !== undefined) {
        const { Items: items = [] } = answer.output;
        const shown = how === 'shows nothing' ? [] : items.toReversed();
        Object.assign(answer.output, { Items: shown, Count: shown.length });
      }
      return answer;
    },
    { step: 'initialize', priority: 'low', name: 'lag', override: true },
  );
  return () => void dynamodb.middlewareStack.remove('lag');
}
