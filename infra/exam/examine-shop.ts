import type { ExamResult } from '../../shared/contract/testkit/exam-report.ts';
import { readSigner } from '../events/signing-secret.ts';
import { jsonText } from '../terminal/clean-text.ts';
import { UsageError } from '../terminal/command.ts';
import { say, sayJson } from '../terminal/output.ts';
import { type PgRun, serviceOf } from '../terminal/pg-command.ts';
import { chosenIds } from './chosen-ids.ts';
import { examJunit } from './exam-junit.ts';
import { resultLines, summaryLines } from './exam-lines.ts';
import { examMarkdown } from './exam-markdown.ts';
import { htmlReport } from './html-report.ts';
import { QUESTION_IDS, runExam } from './run-exam.ts';

/** Examines a shop. @throws Error if a question failed, after all have been asked */
export async function examineShop(run: PgRun): Promise<void> {
  const signer = await readSigner(run);
  if (run.values['print-secret'] === true) {
    say(signer.secret);
    return;
  }
  const { receiver, order = null, probe = null, only, seed = 1, json } = run.values;
  if (receiver === undefined) {
    throw new UsageError('Name your receiver: --receiver http://127.0.0.1:3000/webhooks.');
  }
  const ids = only === undefined ? QUESTION_IDS : chosenIds(only.split(','), '--only');
  const tellLines = json ? () => undefined : say;
  tellLines(`Signing secret: ${signer.printable ?? signer.shown}`);
  // A question that may still fail is told at the end, so that each is told once.
  const told = new Set<string>();
  const tell = (result: ExamResult) => {
    told.add(result.id);
    tellLines(...resultLines(result));
  };
  const onResult = (result: ExamResult, mayChange: boolean) => (mayChange ? undefined : tell(result));
  const shop = { receiver, order, probe };
  const report = await runExam(serviceOf(run), { shop, signer, seed, ids, onResult });
  for (const result of report.questions.filter(({ id }) => !told.has(id))) {
    tell(result);
  }
  tellLines(...summaryLines(report));
  if (json) {
    sayJson(report, 2);
  }
  await run.reports.end('report', () => `${jsonText(report, 2)}\n`);
  await run.reports.end('junit', () => examJunit(report));
  await run.reports.end('html', () => htmlReport(report));
  await run.reports.end('markdown', () => examMarkdown(report));
  if (report.failed > 0) {
    throw new Error(`${report.failed} of ${report.questions.length} failed.`);
  }
}
