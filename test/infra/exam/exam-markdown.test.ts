import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { examMarkdown } from '../../../infra/exam/exam-markdown.ts';
import { FAILED, PASSED, sampleFailure, sampleReport } from './sample-report.ts';

describe('the Markdown of an exam', () => {
  test('says the verdict, each cause with its questions, and what was examined', () => {
    const failure = sampleFailure({ advice: 'a claim by the event id' });
    expect(examMarkdown(sampleReport([PASSED, { ...FAILED, failure }]))).toBe(
      [
        '### Exam: 1 of 2 questions passed, 1 failed',
        '',
        'The shop is not ready. Each failed question says what it costs.',
        '',
        '- **DUP-02**: `they went out twice`',
        '  Look at: `a claim by the event id`',
        '',
        '`http://127.0.0.1:3000/webhooks`, seed 7',
        '',
      ].join('\n'),
    );
  });

  test('has no list where nothing failed', () => {
    expect(examMarkdown(sampleReport([PASSED]))).toBe(
      [
        '### Exam: 1 of 1 question passed',
        '',
        'The question that was asked passed.',
        '',
        '`http://127.0.0.1:3000/webhooks`, seed 7',
        '',
      ].join('\n'),
    );
  });

  test.each([
    '<img src=x onerror=alert(1)> @everyone ![x](https://example.com)',
    '` `` ``` <b>',
    '`',
    'two\n\n# lines\n- and a list',
  ])('shows what a shop answers as code: %j', async (actual) => {
    const failure = sampleFailure({ actual, advice: actual });
    const html = await marked(examMarkdown(sampleReport([{ ...FAILED, failure }])));
    const tags = [...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag);
    expect(tags).toEqual(['h3', 'p', 'ul', 'li', 'strong', 'code', 'code', 'p', 'code']);
  });
});
