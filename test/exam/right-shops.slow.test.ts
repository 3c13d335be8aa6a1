// @module-tag nightly
import { describe, expect, onTestFinished, test } from 'vitest';
import { QUESTION_IDS } from '../../infra/exam/run-exam.ts';
import type { ExamReport } from '../../shared/contract/testkit/exam-report.ts';
import { newSigningSecret } from '../../shared/domain/secret.ts';
import { givenNumber } from '../support/tools/given-number.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { examine } from './examine.ts';
import * as nodeShop from './shops/node-shop.ts';
import * as sqliteShop from './shops/sqlite-shop.ts';
import { startPythonShop } from './start-python-shop.ts';

/** How many seeds are tried, each with one of the shops: EXAM_SEEDS tries more. */
const SEEDS = givenNumber('EXAM_SEEDS', 15);
/** Each seed asks one question of so many, and the next seed the next ones. */
const SHARES = 5;

interface RunningShop {
  readonly url: string;
  stop(): Promise<void>;
}

const SHOPS: readonly [name: string, start: (secret: string) => Promise<RunningShop>, skipped: string[]][] = [
  ['Node', (secret) => nodeShop.startShop({ port: 0, secret }), ['ORD-03']],
  ['SQLite', (secret) => sqliteShop.startShop({ port: 0, secret, baseUrl }), []],
  ['Python', startPythonShop, ['ORD-03']],
];

async function start(open: (secret: string) => Promise<RunningShop>) {
  const secret = newSigningSecret();
  const { url, stop } = await open(secret);
  onTestFinished(stop);
  return { url, secret };
}

function idsOf({ questions }: ExamReport, verdict: string): string[] {
  return questions.filter((result) => result.verdict === verdict).map(({ id }) => id);
}

function failuresOf({ seed, questions }: ExamReport) {
  return questions.flatMap(({ id, failure }) => (failure === null ? [] : [{ seed, id, failure }]));
}

describe.each(SHOPS)('the right shop of %s', (name, open, skipped) => {
  test('passes every question that it can be asked, and its world is gone afterwards', async () => {
    const { url, secret } = await start(open);
    const { report, client } = await examine(url, secret);
    expect(failuresOf(report)).toEqual([]);
    expect(idsOf(report, 'skipped')).toEqual(skipped);
    expect(report.passed).toBe(QUESTION_IDS.length - skipped.length);
    expect((await client.listTestWorlds()).data).toEqual([]);
  });

  test('passes with every seed', async () => {
    const { url, secret } = await start(open);
    const turn = SHOPS.findIndex(([other]) => other === name);
    for (let seed = 1 + turn; seed <= SEEDS; seed += SHOPS.length) {
      const ids = QUESTION_IDS.filter((id, index) => index % SHARES === seed % SHARES || id === 'ORD-06');
      const { report } = await examine(url, secret, { seed, ids });
      expect(failuresOf(report)).toEqual([]);
      expect(report.passed).toBeGreaterThan(ids.length / 2);
    }
  });
});

describe('a shop without addresses for tests', () => {
  test('is asked what HTTP can judge, and the rest is skipped with why', async () => {
    const { url, secret } = await start((own) => nodeShop.startShop({ port: 0, secret: own }));
    const { report } = await examine(url, secret, { isHttpOnly: true });
    const groups = new Set(idsOf(report, 'passed').map((id) => id.slice(0, 3)));
    expect([...groups]).toEqual(['SIG', 'FWD', 'STR']);
    expect(report.failed).toBe(0);
    const reasons = new Set(report.questions.map(({ reason }) => reason));
    expect([...reasons]).toEqual(['it needs --order and --probe', null]);
  });
});
