import { describe, expect, it } from 'vitest';
import { EXAM_GROUPS, EXAM_QUESTIONS, guideOf } from '../../shared/contract/testkit/exam-questions.ts';
import { guidePage } from '../../shared/docs/guide-page.ts';

const ROOT = '/prod';
const page = guidePage(`https://pay.example.com${ROOT}`, ROOT, 'exam');
const html = page?.body.text ?? '';
const { markdown = '' } = (page?.data ?? {}) as { readonly markdown?: string };
const questions = Object.entries(EXAM_QUESTIONS).map(([id, words]) => ({
  id: id as keyof typeof EXAM_QUESTIONS,
  ...words,
}));

describe('the guide to the exam', () => {
  it.each(questions)('has $id with its anchor, its title, what to do and why', ({ id, title, must, why }) => {
    const [path, anchor] = guideOf(id).split('#');
    expect(path).toBe('/docs/exam');
    expect(html).toContain(
      `<h3 id="${anchor}">${id}: ${title}</h3>\n<p>${must}</p>\n<p><strong>Why:</strong> ${why}</p>`,
    );
    expect(markdown).toContain(`### ${id}: ${title}\n\n${must}\n\n**Why:** ${why}`);
  });

  it('leads to each group of questions, and to the dashboard', () => {
    for (const [group, title] of Object.entries(EXAM_GROUPS)) {
      const anchor = title.toLowerCase().replaceAll(' ', '-');
      expect(html).toContain(`<a href="${ROOT}/docs/exam#${anchor}">${title}</a>: ${group}-01`);
      expect(html).toContain(`<h2 id="${anchor}">${title}</h2>`);
    }
    expect(html).toContain(`href="${ROOT}/console#/exam"`);
  });

  it('has the questions where the fence for them was, in HTML and in Markdown', () => {
    expect(html).not.toContain('exam-questions');
    expect(markdown).not.toContain('exam-questions');
  });
});

it('keeps where links to the exam have led before', () => {
  const { body } = guidePage(`https://pay.example.com${ROOT}`, ROOT, 'testing') ?? {};
  expect(body?.text).toContain('<h2 id="the-exam-for-your-receiver">');
  expect(body?.text).toContain(`<a href="${ROOT}/docs/exam">The exam</a>`);
});
