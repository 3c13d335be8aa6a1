import { isDeepStrictEqual } from 'node:util';
import type { StageTemplate } from './stage-template.ts';

/** How a deployment changes a stage, in a few lines: how many of which type. What is removed is named. */
export function describeChanges({ Resources: before }: StageTemplate, { Resources: after }: StageTemplate) {
  const added = Object.keys(after).filter((id) => !(id in before));
  const removed = Object.keys(before).filter((id) => !(id in after));
  const changed = Object.keys(after).filter(
    (id) => id in before && !isDeepStrictEqual(before[id], after[id]),
  );
  if (Object.keys(before).length === 0) {
    return [`It is new: ${added.length} resources.`];
  }
  const lines = [
    ...lineOf('new', added, after),
    ...lineOf('changed', changed, after),
    ...lineOf('removed', removed, before),
    ...removed.map((id) => `    ${before[id]?.Type} ${id}`),
  ];
  return lines.length === 0 ? ['No resource changes.'] : ['What changes:', ...lines];
}

function lineOf(what: string, ids: readonly string[], resources: StageTemplate['Resources']): string[] {
  const byType = Map.groupBy(ids, (id) => String(resources[id]?.Type));
  const types = [...byType]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([type, { length }]) => `${length} ${type}`);
  return types.length === 0 ? [] : [`  ${what}: ${types.join(', ')}`];
}
