import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { EXAMPLES } from '../../shared/contract/examples.ts';
import { formsOf } from '../../shared/contract/openapi.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { type Examples, recordExamples } from '../support/world/record-examples.ts';

let fresh: Examples;
let kept: Examples = EXAMPLES;

/* npm run examples: takes the service's current responses as the examples of the document. */
beforeAll(async () => {
  fresh = await recordExamples();
  if (process.env.EXAMPLES === 'write') {
    await writeFile('shared/contract/examples.json', JSON.stringify(fresh));
    kept = fresh;
  }
}, 300_000);

test('every operation has an example, and nothing else has one', () => {
  const expected = allOperations.flatMap(formsOf).map(({ name }) => name);
  expect(Object.keys(kept).toSorted()).toEqual(expected.toSorted());
});

test('every example is valid for its schema and has no field that the schema omits', () => {
  for (const { id, success } of allOperations) {
    if ('schema' in success) {
      expect(v.parse(success.schema, kept[id]), id).toEqual(kept[id]);
    }
  }
});

test("every example matches the running service's response (else: npm run examples)", () => {
  for (const [name, answer] of Object.entries(kept)) {
    expect(outlineOf(answer), name).toEqual(outlineOf(fresh[name]));
  }
});

/** A response without the values that differ each time. */
function outlineOf(answer: unknown, name = ''): unknown {
  if (Array.isArray(answer)) {
    return answer.map((one) => outlineOf(one));
  }
  if (typeof answer === 'object' && answer !== null) {
    return Object.fromEntries(
      Object.entries(answer).map(([field, inner]) => [field, outlineOf(inner, field)]),
    );
  }
  if (typeof answer === 'string' && name !== 'body') {
    return /<(?:html|svg)\b/.test(answer) ? tagsOf(answer) : answer.replace(/\d{2,}|T\d\d:/g, '0');
  }
  // A count of done work is no promise, and a body is a response within one.
  return typeof answer === 'number' || name === 'body' ? typeof answer : answer;
}

/** The elements of a page, in their order. A QR has as many squares as its content needs. */
function tagsOf(page: string): string[] {
  return [...page.matchAll(/<([a-z][\w-]*)/g)].map(([, tag]) => String(tag)).filter((tag) => tag !== 'rect');
}
