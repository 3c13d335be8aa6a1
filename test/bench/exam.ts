import { signerOf } from '../../infra/events/signing-secret.ts';
import { QUESTION_IDS, runExam } from '../../infra/exam/run-exam.ts';
import { createClient } from '../../shared/client/client.ts';
import type { QuestionId } from '../../shared/contract/testkit/exam-questions.ts';
import type { ExamReport } from '../../shared/contract/testkit/exam-report.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { newSigningSecret } from '../../shared/domain/secret.ts';
import * as nodeShop from '../exam/shops/node-shop.ts';
import * as sqliteShop from '../exam/shops/sqlite-shop.ts';
import { startPythonShop } from '../exam/start-python-shop.ts';
import { startWrongShop } from '../exam/zoo/start-wrong-shop.ts';
import { WRONG_SHOPS } from '../exam/zoo/wrong-shops.ts';
import { type ServiceFile, startHost } from '../support/world/host.ts';
import type { Section } from './section.ts';

/*
 * The exam: how long it takes a right shop, and how many wrong ones it catches.
 */

const ROUNDS = 3;
/** Wrong shops wait for nothing that could still come. */
const ZOO_LIMITS = { patienceMs: 1_500, shrinkMs: 8 * SECOND_MS };
const ZOO_AT_ONCE = 4;

interface RunningShop {
  readonly url: string;
  stop(): Promise<void>;
}

export async function measure(): Promise<Section> {
  const host = await startHost({ isOnDisk: true });
  try {
    const { baseUrl } = host;
    const shops: [name: string, start: (secret: string) => Promise<RunningShop>][] = [
      ['Node', (secret) => nodeShop.startShop({ port: 0, secret })],
      ['SQLite', (secret) => sqliteShop.startShop({ port: 0, secret, baseUrl })],
      ['Python', startPythonShop],
    ];
    const whole: { name: string; reports: ExamReport[] }[] = [];
    for (const [name, start] of shops) {
      const reports: ExamReport[] = [];
      for (let seed = 1; seed <= ROUNDS; seed += 1) {
        reports.push(await examine(host, start, seed, QUESTION_IDS));
      }
      whole.push({ name, reports });
    }
    const slowestMs = Math.max(
      ...whole.flatMap(({ reports }) => reports.map(({ duration_ms: tookMs }) => tookMs)),
    );
    const zoo = await examineZoo(host);
    return {
      lines: [
        `A whole exam, the slowest of ${ROUNDS} seeds, at \`npm start\`:`,
        '',
        '| Right shop | Seconds | Passed | Failed | Skipped |',
        '|---|---:|---:|---:|---:|',
        ...whole.map(({ name, reports }) => {
          const seconds = Math.max(...reports.map(({ duration_ms: tookMs }) => tookMs)) / SECOND_MS;
          const [first] = reports;
          const failed = reports.reduce((sum, report) => sum + report.failed, 0);
          return `| ${name} | ${seconds.toFixed(1)} | ${first?.passed} | ${failed} | ${first?.skipped} |`;
        }),
        '',
        `Wrong shops: ${zoo.caught} of ${WRONG_SHOPS.length} are caught by the question that is there for them, each shown in at most ${zoo.eventsMax} events. Of ${zoo.shortest}, the shortest story was found.`,
      ],
      figures: {
        'exam.whole_ms': slowestMs,
        'exam.false_alarms': whole
          .flatMap(({ reports }) => reports)
          .reduce((sum, { failed }) => sum + failed, 0),
        'exam.zoo_caught': zoo.caught / WRONG_SHOPS.length,
        'exam.shown_events_max': zoo.eventsMax,
      },
      failures: [],
    };
  } finally {
    await host.stop();
  }
}

async function examine(
  { baseUrl, key }: ServiceFile,
  start: (secret: string) => Promise<RunningShop>,
  seed: number,
  ids: readonly QuestionId[],
  limits?: typeof ZOO_LIMITS,
): Promise<ExamReport> {
  const secret = newSigningSecret();
  const { url, stop } = await start(secret);
  try {
    const shop = { receiver: `${url}/webhooks`, order: `${url}/orders`, probe: `${url}/probe` };
    const form = { shop, signer: signerOf(secret), seed, ids, ...(limits && { limits }) };
    return await runExam({ client: createClient({ baseUrl, key }), baseUrl }, form);
  } finally {
    await stop();
  }
}

async function examineZoo(host: ServiceFile) {
  const left = [...WRONG_SHOPS];
  const failures: NonNullable<ExamReport['questions'][number]['failure']>[] = [];
  // Some wrong shops print what they fail at.
  console.error = () => undefined;
  const worker = async () => {
    for (let wrong = left.shift(); wrong !== undefined; wrong = left.shift()) {
      const each = wrong;
      const start = (secret: string) => startWrongShop(each, { port: 0, secret, baseUrl: host.baseUrl });
      const { questions } = await examine(host, start, 1, [each.caughtBy], ZOO_LIMITS);
      failures.push(...questions.flatMap(({ failure }) => failure ?? []));
    }
  };
  await Promise.all(Array.from({ length: ZOO_AT_ONCE }, worker));
  return {
    caught: failures.length,
    eventsMax: Math.max(0, ...failures.map(({ events }) => events.length)),
    shortest: failures.filter(({ is_shortest: isShortest }) => isShortest).length,
  };
}
