import { expect, test } from 'vitest';
import { chosenGroups, KIT_GROUP, TOOL_GROUPS } from '../../../infra/mcp/tool-groups.ts';
import { toolsOf } from '../../../infra/mcp/tools.ts';
import { UsageError } from '../../../infra/terminal/command.ts';
import { operationsIn } from '../../../shared/docs/contents.ts';
import { documentAt } from '../../../shared/docs/service-document.ts';

const document = documentAt('https://api.example.com');
const documented = operationsIn(document);

function tagsOf(names: Iterable<string>) {
  return new Set([...names].map((name) => documented.get(name)?.tags[0]));
}

test('the groups are the tags of the operations that have a tool, and the kit', () => {
  expect(TOOL_GROUPS).toEqual([...tagsOf(toolsOf(document).keys()), KIT_GROUP]);
});

test.each(TOOL_GROUPS.filter((group) => group !== KIT_GROUP))('the group %s has its tools alone', (group) => {
  expect(tagsOf(toolsOf(document, [group]).keys())).toEqual(new Set([group]));
});

test('each tool is in one group, and the kit has no operation', () => {
  const names = TOOL_GROUPS.flatMap((group) => [...toolsOf(document, [group]).keys()]);
  expect(names.toSorted()).toEqual([...toolsOf(document).keys()].toSorted());
  expect(toolsOf(document, [KIT_GROUP]).size).toBe(0);
});

test('groups are chosen by their names, and all of them without a choice', () => {
  expect(chosenGroups(undefined)).toEqual(TOOL_GROUPS);
  expect(chosenGroups('payments, webhooks')).toEqual(['payments', 'webhooks']);
});

test.each(['shop', 'payments,shop', '', 'payments,', 'Payments'])(
  'a choice with an unknown group is refused with the list of groups: %j',
  (text) => {
    const unknown = text.split(',').at(-1);
    expect(() => chosenGroups(text)).toThrow(UsageError);
    expect(() => chosenGroups(text)).toThrow(
      `--groups takes groups of tools: ${TOOL_GROUPS.join(', ')}. There is no group "${unknown}".`,
    );
  },
);
