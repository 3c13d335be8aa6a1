import { describe, expect, test } from 'vitest';
import { chosenIds } from '../../../infra/exam/chosen-ids.ts';
import { EXAM_ADDRESSES, examCommand, FIRST_CHOICE } from '../../../shared/console/webhooks/exam-commands.ts';
import {
  EXAM_GROUPS,
  EXAM_QUESTIONS,
  type ExamGroup,
} from '../../../shared/contract/testkit/exam-questions.ts';
import type { ExamReport } from '../../../shared/contract/testkit/exam-report.ts';
import { examGroups } from '../../../shared/story/exam-groups.ts';
import { readExamReport } from '../../../shared/story/read-exam-report.ts';
import { sampleReport } from '../../infra/exam/sample-report.ts';

const GROUPS = Object.keys(EXAM_GROUPS) as ExamGroup[];

describe('the exam of the dashboard', () => {
  test('has every question once, in its group, in the order of the exam', () => {
    const groups = examGroups();
    expect(groups.map(({ group, title }) => [group, title])).toEqual(Object.entries(EXAM_GROUPS));
    const asked = groups.flatMap(({ group, questions }) => questions.map(({ id }) => [group, id]));
    expect(asked).toEqual(Object.keys(EXAM_QUESTIONS).map((id) => [id.slice(0, 3), id]));
  });

  test('describes both addresses of a shop for tests', () => {
    expect(EXAM_ADDRESSES.map(({ option }) => option)).toEqual(['--order', '--probe']);
  });
});

describe('the command of the exam', () => {
  test('names the service, the key and the shop, and writes the report that the page opens', () => {
    expect(examCommand('http://127.0.0.1:4000', 'pg_test_A1b2…', FIRST_CHOICE)).toBe(
      [
        'PG_BASE_URL=http://127.0.0.1:4000 PG_KEY=pg_test_A1b2… pg exam',
        '--receiver http://127.0.0.1:3000/webhooks',
        '--order http://127.0.0.1:3000/orders',
        '--probe http://127.0.0.1:3000/probe',
        '--report exam.json',
      ].join(' \\\n  '),
    );
  });

  test('quotes what a shell would read otherwise, and leaves out what is empty', () => {
    const addresses = { receiver: "https://shop.example.com/it's?a=1&b=$(id)", order: ' ', probe: '' };
    expect(examCommand("https://pay.example.com/it's", 'KEY', { addresses, groups: null, reports: [] })).toBe(
      "PG_BASE_URL='https://pay.example.com/it'\\''s' PG_KEY=KEY pg exam \\\n" +
        "  --receiver 'https://shop.example.com/it'\\''s?a=1&b=$(id)'",
    );
  });

  test('asks the groups that are chosen, each of which the exam knows', () => {
    const only = (groups: readonly ExamGroup[] | null) =>
      / --only (\S+)/.exec(examCommand('', '', { ...FIRST_CHOICE, groups }))?.[1];
    expect(only(null)).toBeUndefined();
    expect(only(['DUP', 'ORD'])).toBe('DUP,ORD');
    expect(chosenIds(String(only(GROUPS)).split(','), '--only')).toEqual(Object.keys(EXAM_QUESTIONS));
  });
});

describe('the report of an exam, opened in the dashboard,', () => {
  const report = sampleReport();
  const without = (value: object, field: string) => ({ ...value, [field]: undefined });
  const isRead = (value: unknown) => readExamReport(JSON.stringify(value)) !== null;

  test('is what the exam has written', () => {
    expect(readExamReport(JSON.stringify(report))).toEqual(report);
  });

  test.each([
    ['no JSON', 'exam'],
    ['a list', '[]'],
    ['null', 'null'],
    ['another file', '{"name":"payments"}'],
  ])('is not %s', (_what, text) => {
    expect(readExamReport(text)).toBeNull();
  });

  test('lacks nothing that is shown of it, of a question or of a failure', () => {
    const { questions } = report;
    const failedAt = questions.findIndex(({ failure }) => failure !== null);
    const withQuestion = (index: number, question: object) => ({
      ...report,
      questions: questions.with(index, question as ExamReport['questions'][number]),
    });
    const failed = questions[failedAt] ?? {};
    const failure = questions[failedAt]?.failure ?? {};
    for (const field of ['seed', 'started_at', 'receiver', 'questions']) {
      expect(isRead(without(report, field)), field).toBe(false);
    }
    for (const field of ['id', 'title', 'must', 'why', 'verdict', 'reason', 'failure']) {
      expect(isRead(withQuestion(failedAt, without(failed, field))), field).toBe(false);
    }
    for (const field of ['expected', 'actual', 'advice', 'same_as', 'story', 'failed_step', 'again']) {
      const lacking = { ...failed, failure: without(failure, field) };
      expect(isRead(withQuestion(failedAt, lacking)), field).toBe(false);
    }
    expect(isRead(withQuestion(0, { ...questions[0], id: 'javascript:alert(1)' }))).toBe(false);
  });
});
