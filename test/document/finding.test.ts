import { describe, expect, test } from 'vitest';
import { faultsOf, judge } from './finding.ts';

const finding = (rule: string, where: string) => ({ rule, where, message: 'is not so' });
const exceptions = [
  { rule: 'limit', where: /^answers\./, reason: 'answers may grow' },
  { rule: 'limit', where: /^questions\.id$/, reason: 'ids are opaque' },
];

describe('a finding of a linter', () => {
  test('is not a fault if an exception explains it', () => {
    const verdict = judge([finding('limit', 'answers.a'), finding('limit', 'questions.id')], exceptions);
    expect(verdict.explained).toEqual([1, 1]);
    expect(faultsOf(verdict, exceptions)).toEqual([]);
  });

  test('is a fault if the exception has another rule or place', () => {
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

  test('is reported as missing if an exception explains nothing any more', () => {
    expect(faultsOf(judge([finding('limit', 'answers.a')], exceptions), exceptions)).toEqual([
      'an exception is not needed any more: limit at /^questions\\.id$/',
    ]);
  });

  test('may be missing if it occurs only by chance', () => {
    const rare = exceptions.map((one) => ({ ...one, isByChance: true }) as const);
    expect(faultsOf(judge([], rare), rare)).toEqual([]);
  });
});
