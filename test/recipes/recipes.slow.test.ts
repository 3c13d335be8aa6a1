import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { examReportSchema } from '../../shared/contract/testkit/exam-report.ts';
import { signedHeaders } from '../../shared/webhooks/sign.ts';
import { runToEnd } from '../support/tools/run-to-end.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';
import { hasPrograms } from './installation.ts';
import { RECIPES, type Recipe } from './recipes.ts';
import { type RunningRecipe, startRecipe } from './start-recipe.ts';

/** The exam creates the payments, and not the shop. */
const SKIPPED = ['ORD-03'];

/** The exam with a new key, as somebody starts it who reads the guide. */
async function newExam() {
  const dir = await mkdtemp(path.join(tmpdir(), 'recipes-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: (await newKey()).secret };
  const pg = (...args: readonly string[]) => runToEnd(['infra/pg/pg.ts', '--dir', dir, ...args], env);
  return {
    secret: (await pg('exam', '--print-secret')).stdout.trim(),
    examine: (url: string) => {
      const addresses = [
        '--receiver',
        `${url}/webhooks`,
        '--order',
        `${url}/orders`,
        '--probe',
        `${url}/probe`,
      ];
      return pg('exam', ...addresses, '--json');
    },
  };
}

/** What is proven for every change, one of each language: the others install much, compile, or take what Debian has. */
const QUICK = ['express', 'flask'];
const isQuick = ({ stack }: Recipe) => QUICK.includes(stack);

/** The oldest that has SQLite. */
const OLDEST_NODE = '22.13.0';

async function passTheExam(recipe: Recipe, node?: string): Promise<void> {
  const { secret, examine } = await newExam();
  const shop = await startRecipe(recipe, secret, node);
  onTestFinished(shop.stop);
  const { code, stdout, stderr } = await examine(shop.url);
  expect(stdout, stderr).not.toBe('');
  const { questions } = v.parse(examReportSchema, JSON.parse(stdout));
  const of = (verdict: string) => questions.filter((question) => question.verdict === verdict);
  expect(of('failed')).toEqual([]);
  expect(of('skipped').map(({ id }) => id)).toEqual(SKIPPED);
  expect(of('passed').length).toBeGreaterThan(40);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  await expectNoLostEvent(shop, secret);
}

/** An event whose effect cannot be stored is not accepted, and is not taken for one that came before. */
async function expectNoLostEvent({ dir, url }: RunningRecipe, secret: string): Promise<void> {
  const amount = { currency: 'THB', minor: 129_900 };
  const post = (path: string, headers: Record<string, string>, body: object) =>
    fetch(`${url}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await post('orders', { 'content-type': 'application/json' }, { reference: 'order-1', amount });
  const object = { id: 'pay_1', reference: 'order-1', amount };
  const event = { id: 'evt_1', type: 'payment.succeeded', data: { object } };
  const send = () =>
    post('webhooks', signedHeaders([secret], event.id, JSON.stringify(event), Date.now(), 1), event);
  const [file = ''] = globSync(`${dir}/{shop.db,database/database.sqlite}`);
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  database.exec(`PRAGMA busy_timeout = 10000;
    CREATE TRIGGER full BEFORE INSERT ON payments BEGIN SELECT RAISE(ABORT, 'The disk is full'); END`);
  expect((await send()).status).toBe(500);
  database.exec('DROP TRIGGER full');
  expect((await send()).status).toBe(204);
  const probed = await fetch(`${url}/probe?reference=order-1`);
  expect(await probed.json()).toEqual({ paid: true, fulfilled: 1, refunded_minor: 0 });
}

describe('the receiver of the guide', () => {
  test.each(RECIPES.filter(isQuick))(
    'for $name passes the exam as it stands, and loses no event when its database fails',
    (recipe) => passTheExam(recipe),
  );

  for (const recipe of RECIPES.filter((each) => !isQuick(each))) {
    test.skipIf(!hasPrograms(recipe))(
      `for ${recipe.name} passes the exam as it stands, and loses no event when its database fails`,
      { tags: 'nightly' },
      () => passTheExam(recipe),
    );
  }

  test.for(RECIPES.filter(({ install }) => install.startsWith('npm ')))(
    `for $name passes it on Node ${OLDEST_NODE}, too`,
    { tags: 'nightly' },
    (recipe) => passTheExam(recipe, OLDEST_NODE),
  );
});
