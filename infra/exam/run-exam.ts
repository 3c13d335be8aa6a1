import { setTimeout as sleep } from 'node:timers/promises';
import { mapLimit } from '../../shared/concurrency/map-limit.ts';
import { EXAM_QUESTIONS, guideOf, type QuestionId } from '../../shared/contract/testkit/exam-questions.ts';
import type { ExamFailure, ExamReport, ExamResult } from '../../shared/contract/testkit/exam-report.ts';
import { schemeOf } from '../../shared/webhooks/signature-schemes.ts';
import type { NamedSigner } from '../events/signing-secret.ts';
import { openScenarioWorld, type ScenarioService } from '../scenario/scenario-world.ts';
import { waitWhileProgress } from '../scenario/wait-until.ts';
import { describeExamStep } from './acts.ts';
import { type AskedFailure, type AskedQuestion, Examiner, type ProbedOrder } from './ask-question.ts';
import { meetShop } from './meet-shop.ts';
import { differenceOf, type ProbeDifference } from './order-book.ts';
import { calmMs, type ExamLimits, LIMITS, PROGRESS_MS } from './patience.ts';
import { causesOf } from './result-groups.ts';
import { askProbe, expectReachable, type ShopAddresses, ShopError } from './shop.ts';
import { shopOptions } from './shop-options.ts';
import { STORIES } from './stories.ts';

const PROBED_AT_ONCE = 8;

export const QUESTION_IDS = Object.keys(EXAM_QUESTIONS) as QuestionId[];

/** What is examined, and how. */
export interface ExamOrderForm {
  readonly shop: ShopAddresses;
  readonly signer: NamedSigner;
  readonly seed: number;
  readonly ids: readonly QuestionId[];
  readonly limits?: ExamLimits;
  /** Called with each result as it is known. One that may change is looked at once more at the end. */
  readonly onResult?: (result: ExamResult, mayChange: boolean) => void;
}

/**
 * Asks the questions in a world of their own, which is deleted whatever happens.
 * @throws ShopError if the receiver refuses a signed request, or the addresses for tests do not respond as contract §19
 *   says
 * @throws ProblemError, ConnectionError if the service refuses or is not there
 * @throws the reason of the signal of the service, once it is aborted
 */
export async function runExam(service: ScenarioService, form: ExamOrderForm): Promise<ExamReport> {
  const { shop, signer, seed, ids, limits = LIMITS, onResult = () => undefined } = form;
  const startedAt = new Date();
  await expectReachable(shop.receiver);
  const world = await openScenarioWorld(service, { name: 'exam', steps: [] }, seed);
  try {
    const receiver = { url: shop.receiver, scheme: signer.scheme, secret: signer.secret };
    const examiner = new Examiner({ world, shop, receiver, seed, baseUrl: service.baseUrl, limits });
    const lacks = await meetShop(examiner, shop, signer, world.key);
    const asked = new Map<QuestionId, AskedQuestion>();
    const results: ExamResult[] = [];
    for (const id of ids) {
      const lack =
        lackOfScheme(signer, id) ??
        STORIES[id].needs.map((need) => lacks[need]).find((reason) => reason !== null);
      const beganAt = performance.now();
      const question = lack === undefined ? await examiner.ask(id) : null;
      const reason = lack ?? question?.lack ?? null;
      const tookMs = Math.round(performance.now() - beganAt);
      const result = resultOf(service, form, id, reason, question, tookMs);
      if (question !== null) {
        asked.set(id, question);
      }
      results.push(result);
      onResult(result, question !== null && question.probed.length > 0);
    }
    const later = await findLater(shop, asked, limits, examiner.slowestMs, service.signal);
    const questions = results.map((result) => {
      const failure = later.get(result.id as QuestionId);
      return failure === undefined
        ? result
        : {
            ...result,
            verdict: 'failed' as const,
            failure: { ...failure, again: repeatCommand(form, result.id) },
          };
    });
    const count = (verdict: ExamResult['verdict']) =>
      questions.filter((result) => result.verdict === verdict).length;
    return {
      seed,
      started_at: startedAt.toISOString(),
      duration_ms: Date.now() - startedAt.getTime(),
      base_url: service.baseUrl,
      scheme: signer.scheme,
      ...shop,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      causes: causesOf(questions),
      questions,
    };
  } finally {
    await world.end();
  }
}

/** Why a question does not hold in the scheme. */
function lackOfScheme({ scheme }: NamedSigner, id: QuestionId): string | undefined {
  const reason = (schemeOf({ scheme }).lacks as Readonly<Record<string, string>>)[id];
  return reason === undefined ? undefined : `not of the scheme ${scheme}: ${reason}`;
}

/**
 * What the probe says of the orders of passed questions when all questions have been asked. A shop may still work off the
 * burst: while what it says changes, it is waited for.
 */
async function findLater(
  { probe }: ShopAddresses,
  asked: ReadonlyMap<QuestionId, AskedQuestion>,
  { patienceMs }: ExamLimits,
  slowestMs: number,
  signal: AbortSignal | undefined,
): Promise<Map<QuestionId, Omit<ExamFailure, 'again'>>> {
  const passed = [...asked].filter(([, { failed, probed }]) => failed === null && probed.length > 0);
  if (probe === null || passed.length === 0) {
    return new Map();
  }
  await sleep(calmMs(slowestMs));
  let wrong: readonly LaterFailure[] = [];
  await waitWhileProgress(
    async () => {
      signal?.throwIfAborted();
      const found = await mapLimit(PROBED_AT_ONCE, passed, async ([id, { probed, sent }]) => {
        const difference = await firstDifference(probe, probed);
        return difference === null ? [] : [{ id, sent, ...difference }];
      });
      wrong = found.flat();
      const mayChange = wrong.some(({ isTooMuch }) => !isTooMuch);
      return {
        objection: mayChange ? wrong : null,
        reached: JSON.stringify(wrong.map(({ actual }) => actual)),
      };
    },
    patienceMs,
    PROGRESS_MS,
  );
  return new Map(
    wrong.map(({ id, sent, expected, actual }, index) => [
      id,
      {
        expected: `${expected}, also later`,
        actual: `${actual}, after it had been right`,
        advice:
          'Something changed the order after the question was over: what does the shop do later by itself?',
        // What takes back one order takes back all that are like it.
        same_as: index === 0 ? null : (wrong[0]?.id ?? null),
        story: [],
        failed_step: null,
        events: index === 0 ? [...sent] : [],
        is_shortest: false,
      },
    ]),
  );
}

type LaterDifference = Pick<ProbeDifference, 'expected' | 'actual' | 'isTooMuch'>;
interface LaterFailure extends LaterDifference, Pick<AskedQuestion, 'sent'> {
  readonly id: QuestionId;
}

async function firstDifference(
  probe: string,
  probed: readonly ProbedOrder[],
): Promise<LaterDifference | null> {
  try {
    for (const { order, book } of probed) {
      const difference = differenceOf(book.expected(order), await askProbe(probe, order.reference));
      if (difference !== null) {
        return difference;
      }
    }
    return null;
  } catch (error) {
    if (error instanceof ShopError) {
      return { expected: 'an answer of the probe', actual: error.message, isTooMuch: false };
    }
    throw error;
  }
}

function resultOf(
  { baseUrl }: ScenarioService,
  form: ExamOrderForm,
  id: QuestionId,
  reason: string | null,
  asked: AskedQuestion | null,
  durationMs: number,
): ExamResult {
  const failed = asked?.failed ?? null;
  return {
    id,
    ...EXAM_QUESTIONS[id],
    guide: new URL(guideOf(id), baseUrl).href,
    verdict: reason !== null ? 'skipped' : failed === null ? 'passed' : 'failed',
    reason,
    failure: failed === null ? null : { ...failureOf(failed), again: repeatCommand(form, id) },
    duration_ms: durationMs,
  };
}

/** A failure that is told already is not repeated. */
function failureOf(asked: AskedFailure): Omit<ExamFailure, 'again'> {
  const { failure, advice, sameAs, steps, index, sent, isShortest } = asked;
  return {
    expected: failure.expected,
    actual: failure.actual,
    advice,
    same_as: sameAs,
    story: sameAs === null ? steps.map(describeExamStep) : [],
    failed_step: sameAs === null ? index + 1 : null,
    events: sameAs === null ? [...sent] : [],
    is_shortest: isShortest,
  };
}

function repeatCommand({ shop, seed, signer }: ExamOrderForm, id: string): string {
  return `pg exam ${shopOptions(shop)} --only ${id} --seed ${seed}${signer.options}`;
}
