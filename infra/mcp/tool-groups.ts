import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { UsageError } from '../terminal/command.ts';

/** The group of the tools that are no operation: they run scenarios and the exam, and tell stories. */
export const KIT_GROUP = 'kit';

/** The groups of tools, in their order: the areas of the operations that take a key, and the kit. */
export const TOOL_GROUPS: readonly string[] = [
  ...new Set(
    Object.values<Operation>(operations)
      .filter(({ permission }) => permission !== null)
      .map(groupOf),
  ),
  KIT_GROUP,
];

/** `payments.CreatePayment` → `payments`, which is its tag in the document, too. */
export function groupOf({ id }: Pick<Operation, 'id'>): string {
  return id.slice(0, id.indexOf('.'));
}

/**
 * The groups of `--groups`: all of them without it.
 * @param text names of groups, separated by commas
 * @throws UsageError that lists the groups, for a name that is none
 */
export function chosenGroups(text: string | undefined): readonly string[] {
  if (text === undefined) {
    return TOOL_GROUPS;
  }
  const chosen = text.split(',').map((name) => name.trim());
  const unknown = chosen.find((name) => !TOOL_GROUPS.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--groups takes groups of tools: ${TOOL_GROUPS.join(', ')}. There is no group "${unknown}".`,
    );
  }
  return chosen;
}
