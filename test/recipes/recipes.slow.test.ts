import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { examReportSchema } from '../../shared/contract/testkit/exam-report.ts';
import { runToEnd } from '../support/tools/run-to-end.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';
import { hasPrograms } from './installation.ts';
import { RECIPES, type Recipe } from './recipes.ts';
import { startRecipe } from './start-recipe.ts';

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

/** What is proven for every change: the others install much, compile, or take what Debian has. */
const QUICK = ['express', 'fastify', 'hono', 'koa', 'flask'];
const isQuick = ({ stack }: Recipe) => QUICK.includes(stack);

/** The oldest that has SQLite. */
const OLDEST_NODE = '22.13.0';

async function passTheExam(recipe: Recipe, node?: string): Promise<void> {
  const { secret, examine } = await newExam();
  const { url, stop } = await startRecipe(recipe, secret, node);
  onTestFinished(stop);
  const { code, stdout, stderr } = await examine(url);
  expect(stdout, stderr).not.toBe('');
  const { questions } = v.parse(examReportSchema, JSON.parse(stdout));
  const of = (verdict: string) => questions.filter((question) => question.verdict === verdict);
  expect(of('failed')).toEqual([]);
  expect(of('skipped').map(({ id }) => id)).toEqual(SKIPPED);
  expect(of('passed').length).toBeGreaterThan(40);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

describe('the receiver of the guide', () => {
  test.each(RECIPES.filter(isQuick))('for $name passes the whole exam as it stands', (recipe) => passTheExam(recipe));

  for (const recipe of RECIPES.filter((each) => !isQuick(each))) {
    test.skipIf(!hasPrograms(recipe))(
      `for ${recipe.name} passes the whole exam as it stands`,
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
