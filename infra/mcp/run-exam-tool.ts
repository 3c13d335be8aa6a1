import * as v from 'valibot';
import type { ExamReport, ExamResult } from '../../shared/contract/testkit/exam-report.ts';
import { readSigner } from '../events/signing-secret.ts';
import { chosenIds } from '../exam/chosen-ids.ts';
import { meaningOf } from '../exam/exam-words.ts';
import { QUESTION_IDS, runExam } from '../exam/run-exam.ts';
import { type ShopAddresses, ShopError } from '../exam/shop.ts';
import { readAs } from '../terminal/command.ts';
import { PG_OPTIONS } from '../terminal/options.ts';
import { kitTool } from './kit-tool.ts';
import { seedArgument } from './seed-argument.ts';

const takes = v.strictObject({
  receiver: v.pipe(
    v.string(),
    v.description('The webhook receiver of the shop: http://127.0.0.1:3000/webhooks.'),
  ),
  order: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'Its test address that opens an order: POST {"reference", "amount"}, answered 2xx. With `probe`, all questions are asked; without both, those that HTTP alone can answer.',
      ),
    ),
  ),
  probe: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'Its test address that tells of an order: GET ?reference=…, answered {"paid": true, "fulfilled": 1, "refunded_minor": 0} or 404.',
      ),
    ),
  ),
  questions: v.optional(
    v.pipe(
      v.array(v.string()),
      v.minLength(1),
      v.description(
        `Only these, by id or beginning: ["DUP", "SIG-03"]. Default: all ${QUESTION_IDS.length}.`,
      ),
    ),
  ),
  seed: seedArgument,
});

export const RUN_EXAM = kitTool({
  name: 'runExam',
  title: 'Examine a webhook receiver',
  description:
    'Examine the webhook receiver of a shop, as `pg exam` does: it sends signed events from this machine in good and in bad ways (twice, late, in reverse, forged), in a test world of its own, and returns each verdict, and of a failed question what was expected, what was, and what to look at first (`advice`). It takes a minute or more: name fewer `questions` to be quicker. The shop must hold `signing_secret`, which every result has, also a refusal. payments://guides/exam explains the questions.',
  takes,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: async ({ client, key, baseUrl }, given, { signal, onProgress }) => {
    const shop = readAddresses(given);
    const ids = given.questions === undefined ? QUESTION_IDS : chosenIds(given.questions, 'questions');
    const signer = await readSigner({ client, key, values: {} });
    let done = 0;
    const onResult = ({ id, verdict }: ExamResult) => {
      done += 1;
      onProgress(done, ids.length, `${id} ${verdict}`);
    };
    const form = { shop, signer, seed: given.seed, ids, onResult };
    try {
      const report = await runExam({ client, baseUrl, signal }, form);
      return { data: { signing_secret: signer.secret, ...shortReport(report) } };
    } catch (error) {
      if (error instanceof ShopError) {
        return { data: { detail: error.message, signing_secret: signer.secret }, isError: true };
      }
      throw error;
    }
  },
});

/** @throws UsageError for an address that `pg exam` does not take */
function readAddresses({ receiver, order, probe }: v.InferOutput<typeof takes>): ShopAddresses {
  const read = (name: 'receiver' | 'order' | 'probe', given: string) =>
    readAs(name, () => PG_OPTIONS[name].read(given));
  return {
    receiver: read('receiver', receiver),
    order: order === undefined ? null : read('order', order),
    probe: probe === undefined ? null : read('probe', probe),
  };
}

/** The report without what a model pays for and does not need: the words of passed questions, and every request. */
function shortReport(report: ExamReport): object {
  const { passed, failed, skipped, causes, questions, seed, duration_ms } = report;
  const words = { passed, failed, skipped, meaning: meaningOf(report), causes };
  return { ...words, questions: questions.map(shortResult), seed, duration_ms };
}

/** Of the requests, the last one is left, as a command that sends it again. */
function shortResult({ id, title, must, guide, verdict, reason, failure }: ExamResult): object {
  if (failure === null) {
    return { id, title, verdict, ...(reason !== null && { reason }) };
  }
  const { events, ...rest } = failure;
  return { id, title, must, guide, verdict, ...rest, curl: events.at(-1)?.curl ?? null };
}
