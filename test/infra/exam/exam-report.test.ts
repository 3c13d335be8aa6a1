import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { examReportSchema } from '../../../shared/contract/testkit/exam-report.ts';
import published from '../../../shared/exam.schema.json' with { type: 'json' };
import { baseUrl } from '../../support/world/merchant.ts';
import { FAILED, PASSED, sampleEvent, sampleFailure, sampleReport } from './sample-report.ts';

const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(published);
const report = sampleReport();
const failedWith = (events: object) => ({
  ...report,
  questions: [{ ...FAILED, failure: { ...sampleFailure(), events: [events] } }],
});

/** Whether the published schema and the code accept a report. */
function acceptedBy(value: unknown): [published: boolean, code: boolean] {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return [validate(plain), v.is(examReportSchema, plain)];
}

describe('the JSON Schema of exam reports', () => {
  test('is what the service answers', async () => {
    const answer = await fetch(`${baseUrl}/schemas/exam.json`);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual(published);
  });

  test('accepts reports, as the code does', () => {
    expect(acceptedBy(report), JSON.stringify(validate.errors)).toEqual([true, true]);
    expect(acceptedBy(sampleReport([]))).toEqual([true, true]);
  });

  test.each<[string, object]>([
    ['an unknown field', { ...report, score: 1 }],
    ['a missing count', { ...report, failed: undefined }],
    ['a count that is no integer', { ...report, passed: 1.5 }],
    ['a negative count', { ...report, skipped: -1 }],
    ['a missing seed', { ...report, seed: null }],
    ['a question without its explanation', { ...report, questions: [{ ...PASSED, must: undefined }] }],
    ['an unknown verdict', { ...report, questions: [{ ...PASSED, verdict: 'maybe' }] }],
    ['an id of another form', { ...report, questions: [{ ...PASSED, id: 'first' }] }],
    ['an event without its body', failedWith(sampleEvent({ body: undefined as unknown as string }))],
    ['an event whose headers are a list', failedWith({ ...sampleEvent(), headers: [['a', 'b']] })],
    ['an attempt before the first one', failedWith(sampleEvent({ attempt: 0 }))],
  ])('refuses %s, as the code does', (_, wrong) => {
    expect(acceptedBy(wrong)).toEqual([false, false]);
  });

  test('describes every field', () => {
    const schemas = [published, ...Object.values(published.$defs)];
    const fields = schemas.flatMap(({ properties }) => Object.entries<object>(properties));
    expect(fields.length).toBeGreaterThan(30);
    expect(fields.filter(([, field]) => !('description' in field)).map(([name]) => name)).toEqual([]);
  });
});
