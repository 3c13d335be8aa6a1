import { describe, expect, test } from 'vitest';
import { EXAM_ADDRESSES, examCommands } from '../../../shared/console/webhooks/exam-commands.ts';
import { EXAM_GROUPS, EXAM_QUESTIONS } from '../../../shared/contract/testkit/exam-questions.ts';
import { examGroups } from '../../../shared/story/exam-groups.ts';

describe('the exam of the dashboard', () => {
  test('has every question once, in its group, in the order of the exam', () => {
    const groups = examGroups();
    expect(groups.map(({ group, title }) => [group, title])).toEqual(Object.entries(EXAM_GROUPS));
    const asked = groups.flatMap(({ group, questions }) => questions.map(({ id }) => [group, id]));
    expect(asked).toEqual(Object.keys(EXAM_QUESTIONS).map((id) => [id.slice(0, 3), id]));
  });

  test('has commands for this service, and no key in them', () => {
    const texts = examCommands("https://pay.example.com/it's").map(({ text }) => text);
    expect(texts[0]).toBe(
      "export PG_BASE_URL='https://pay.example.com/it'\\''s'\nexport PG_KEY=pg_test_your_key",
    );
    expect(texts[1]).toBe('pg exam --print-secret');
    for (const text of texts.slice(2)) {
      expect(text).toMatch(/^pg exam --receiver \S+ \\\n {2}--order \S+ \\\n {2}--probe \S+/);
    }
  });

  test('names only questions that exist in its commands', () => {
    const named = examCommands('').flatMap(({ text }) => /--only (\S+)/.exec(text)?.[1]?.split(',') ?? []);
    const ids = Object.keys(EXAM_QUESTIONS);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !ids.some((id) => id.startsWith(name)))).toEqual([]);
  });

  test('describes both addresses of a shop for tests', () => {
    expect(EXAM_ADDRESSES.map(({ option }) => option)).toEqual(['--order', '--probe']);
  });
});
