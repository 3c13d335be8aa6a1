import { describe, expect, test } from 'vitest';
import { examJunit } from '../../../infra/exam/exam-junit.ts';
import { junitXml } from '../../../infra/terminal/junit.ts';
import { unbalancedTags } from '../../support/browser/html-tags.ts';
import { FAILED, PASSED, SKIPPED, sampleFailure, sampleReport } from './sample-report.ts';

const xml = examJunit(sampleReport());

describe('the JUnit XML of an exam', () => {
  test('counts its questions by their verdicts, and names the seed', () => {
    const totals = 'tests="3" failures="1" errors="0" skipped="1" time="0.240"';
    expect(xml.split('\n').slice(0, 7)).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites ${totals}>`,
      `  <testsuite name="exam" ${totals}>`,
      '    <properties>',
      '      <property name="seed" value="7"/>',
      '      <property name="service" value="http://127.0.0.1:4000"/>',
      '      <property name="receiver" value="http://127.0.0.1:3000/webhooks"/>',
    ]);
    expect(unbalancedTags(xml)).toEqual([]);
  });

  test('has a test for each question, in its group', () => {
    expect(xml).toContain(
      `    <testcase classname="Payments" name="PAY-01: ${PASSED.title}" time="0.120"></testcase>\n`,
    );
    expect(xml).toContain(
      `    <testcase classname="Duplicates" name="DUP-01: ${SKIPPED.title}" time="0.000"><skipped message="it needs --order and --probe"/></testcase>\n`,
    );
  });

  test('explains a failed question: the difference in one line, and all of it', () => {
    const [, message, text] = /<failure message="([^"]*)">([^<]*)<\/failure>/.exec(xml) ?? [];
    expect(message).toBe('expected the goods to go out once, but they went out twice');
    expect(text).toContain(FAILED.must);
    expect(text).toContain('payment.succeeded evt_01, five times at once: answered 500');
  });

  test('is XML whatever a shop answers', () => {
    const actual = 'it answered <a href="x">\'&\u0000\u001b[31m\ud800';
    const hostile = examJunit(sampleReport([{ ...FAILED, failure: sampleFailure({ actual }) }]));
    expect(hostile).toContain('&lt;a href=&quot;x&quot;&gt;&apos;&amp;');
    expect(hostile).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u);
  });
});

test('tests of files keep their file, and a suite without properties has none', () => {
  const about = { group: 'a.yaml', name: 'a', file: 'a.yaml', seconds: 1, skipped: null };
  const suite = junitXml('scenarios', [{ ...about, failure: 'first\nsecond' }]);
  expect(suite).toContain('<testsuite name="scenarios" tests="1" failures="1" errors="0" skipped="0" ');
  expect(suite).toContain(
    '<testcase classname="a.yaml" name="a" file="a.yaml" time="1.000"><failure message="first">first\nsecond</failure>',
  );
  expect(suite).not.toContain('properties');
});
