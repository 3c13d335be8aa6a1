import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';
import { describeStory } from '../commands/show.ts';
import { kitTool } from './kit-tool.ts';

export const SHOW_STORY = kitTool({
  name: 'showStory',
  title: 'Show the story of a payment',
  description:
    'Show the story of a payment, a refund or a payment link, as `pg show` does: what happened to it and when, the request that caused it, each attempt to deliver its events, and what comes next. The text is for reading, with times of Bangkok; the data has everything that it is made of.',
  takes: v.strictObject({
    id: v.pipe(v.string(), v.description('Its id: `pay_…`, `ref_…` or `lnk_…`.')),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  run: async ({ client }, { id }) => {
    const { data, lines } = await describeStory(client, id);
    // A host may force colours, which are for terminals.
    return { data, text: stripVTControlCharacters(lines.join('\n')) };
  },
});
