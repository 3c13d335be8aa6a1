import { examGroups } from '../story/exam-groups.ts';
import { anchorOf } from './anchor-of.ts';

/** Where a guide has the questions of the exam. */
const MARKER = '```exam-questions\n```';

/** A guide with the questions of the exam instead of the marker, so that they are written once for every page. */
export function withExamQuestions(markdown: string): string {
  // A function: what a text replaces has patterns of its own, such as `$&`.
  return markdown.replace(MARKER, () => examSection());
}

/** The heading of a question begins with its id, which becomes its anchor. */
function examSection(): string {
  const groups = examGroups();
  const contents = groups.map(({ title, questions }) => {
    const ids = [...new Set([questions[0]?.id, questions.at(-1)?.id])];
    return `- [${title}](/docs/exam#${anchorOf(title)}): ${ids.join(' to ')}`;
  });
  const sections = groups.flatMap(({ title, questions }) => [
    `## ${title}`,
    ...questions.flatMap((one) => [`### ${one.id}: ${one.title}`, one.must, `**Why:** ${one.why}`]),
  ]);
  return [contents.join('\n'), ...sections].join('\n\n');
}
