import * as v from 'valibot';
import { expect, test } from 'vitest';
import { allOperations } from '../../shared/contract/operations.ts';

/** Part of a schema. */
type Part = v.GenericSchema & {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Part>>;
  readonly wrapped?: Part;
  readonly pipe?: readonly Part[];
  readonly item?: Part;
  readonly value?: Part;
  readonly options?: readonly Part[];
};

/** The texts in a schema, each with the path to it, and with all of its conditions. */
function textsIn(part: Part, at: string): [string, Part][] {
  if (isText(part)) {
    return [[at, part]];
  }
  const { entries = {}, wrapped, pipe = [], item, value, options = [] } = part;
  return [
    ...[wrapped, pipe[0], item, value, ...options].flatMap((one) =>
      typeof one === 'object' && one !== part ? textsIn(one, at) : [],
    ),
    ...Object.entries(entries).flatMap(([name, field]) => textsIn(field, `${at}.${name}`)),
  ];
}

function isText({ type, pipe, wrapped }: Part): boolean {
  return type === 'string' || (pipe !== undefined && wrapped !== undefined && isText(wrapped));
}

/** What is compared with names that the service gives: none has such a character, so nothing is found. */
const SOUGHT = ['after', 'number', 'payment_id', 'provider', 'resource_id'];
/** Is parsed as an address beside its schema. */
const PARSED = ['url'];

const TEXTS = allOperations.flatMap(({ id, body, query, bodyId }) =>
  [body, query]
    .flatMap((schema) => (schema === undefined ? [] : textsIn(schema as Part, id)))
    // It must equal the id in the path.
    .filter(([at]) => ![bodyId, ...SOUGHT, ...PARSED].includes(at.slice(`${id}.`.length))),
);

test('requests have texts', () => {
  expect(TEXTS.length).toBeGreaterThan(40);
});

test.each([
  ['a control character', 'a\u0000b'],
  ['half of a character', 'a\ud800'],
  ['a change of direction', 'a\u202eb'],
  ['more characters than any of them may have', 'a'.repeat(5_000)],
])('no text of a request takes %s', (_what, given) => {
  expect(TEXTS.filter(([, text]) => v.is(text, given)).map(([at]) => at)).toEqual([]);
});
