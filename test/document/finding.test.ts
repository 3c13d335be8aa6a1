import { describe, expect, test } from 'vitest';
import { faultsOf, judge } from './finding.ts';

const finding = (rule: string, where: string) => ({ rule, where, message: 'is not so' });
const exceptions = [
  { rule: 'limit', where: /^answers\./, reason: 'answers may grow' },
  { rule: 'limit', where: /^questions\.id$/, reason: 'ids are opaque' },
];

describe('what judges find of the document', () => {
  test('is no fault where an exception explains each finding', () => {
    const verdict = judge([finding('limit', 'answers.a'), finding('limit', 'questions.id')], exceptions);
    expect(verdict.explained).toEqual([1, 1]);
    expect(faultsOf(verdict, exceptions)).toEqual([]);
  });

  test('is a fault where the rule or the place is another', () => {
    const findings = [
      finding('limit', 'questions.name'),
      finding('form', 'answers.a'),
      finding('limit', 'answers.a'),
      finding('limit', 'questions.id'),
    ];
    expect(faultsOf(judge(findings, exceptions), exceptions)).toEqual([
      'limit at questions.name: is not so',
      'form at answers.a: is not so',
    ]);
  });

  test('is a fault where an exception explains nothing any more', () => {
    expect(faultsOf(judge([finding('limit', 'answers.a')], exceptions), exceptions)).toEqual([
      'an exception is not needed any more: limit at /^questions\\.id$/',
    ]);
  });

  test('is no fault where only chance meets the exception', () => {
    const rare = exceptions.map((one) => ({ ...one, isByChance: true }) as const);
    expect(faultsOf(judge([], rare), rare)).toEqual([]);
  });
});
