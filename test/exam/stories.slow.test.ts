// @module-tag nightly
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { NotAsked, UnfairStory } from '../../infra/exam/act-player.ts';
import { describeExamStep, type ExamStep, unknownNames } from '../../infra/exam/acts.ts';
import { Dice } from '../../infra/simulation/dice.ts';
import { randomStory } from '../../infra/simulation/random-story.ts';
import { tellStory } from '../../infra/simulation/tell-story.ts';
import { newSigningSecret } from '../../shared/domain/secret.ts';
import { givenNumber } from '../support/tools/given-number.ts';
import { baseUrl } from '../support/world/merchant.ts';
import * as nodeShop from './shops/node-shop.ts';
import * as sqliteShop from './shops/sqlite-shop.ts';
import { readyShop, simulate } from './simulate.ts';
import { startPythonShop } from './start-python-shop.ts';
import { startWrongShop } from './zoo/start-wrong-shop.ts';
import { WRONG_SHOPS } from './zoo/wrong-shops.ts';

/** How many stories each right shop is told: EXAM_SEEDS tells more. */
const STORIES = givenNumber('EXAM_SEEDS', 15);
/** How many parts of stories, as they are tried when a story is shortened. */
const PARTS = 2 * STORIES;
/** A right shop on a slow machine gets several times this. */
const SLOWEST_MS = 1_000;
const SHOPS = [
  ['Node', (secret: string) => nodeShop.startShop({ port: 0, secret })],
  ['SQLite', (secret: string) => sqliteShop.startShop({ port: 0, secret, baseUrl })],
  ['Python', startPythonShop],
] as const;

/** Wrong shops fail quickly or never: they are not waited for as a right one is. */
const PATIENCE_MS = 1_500;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const SHORT = 12;
/** What a question of the exam asks, and no story tells: forgeries, texts and numbers of any size, strangers. */
const NOT_IN_STORIES = /^(SIG|FWD-0[234]|BIG|STR|ORD-03)/;
const CAUGHT = WRONG_SHOPS.filter(({ caughtBy }) => !NOT_IN_STORIES.test(caughtBy));

// They print what they fail at.
beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe.each(SHOPS)('the right shop of %s', (_, open) => {
  test('keeps every law in the stories of all seeds', async () => {
    const secret = newSigningSecret();
    const { url, stop } = await open(secret);
    onTestFinished(stop);
    const seeds = Array.from({ length: STORIES }, (_seed, index) => index + 1);
    expect(await simulate(await readyShop(url, secret), seeds)).toMatchObject({
      seed: STORIES,
      law: null,
      failure: null,
    });
  });

  test('keeps every law in parts of stories, so that a shortened one is fair', async () => {
    const secret = newSigningSecret();
    const { url, stop } = await open(secret);
    onTestFinished(stop);
    const { service, form, ways } = await readyShop(url, secret);
    let told = 0;
    for (let seed = 1; seed <= PARTS; seed += 1) {
      const part = partOf(randomStory(seed, ways), new Dice(seed, 'part of a story'));
      const telling = { seed, length: 'shortened', slowestMs: SLOWEST_MS, looksLater: true } as const;
      const story = await tellStory(service, form, part, telling).catch((error: unknown) => {
        if (error instanceof UnfairStory || error instanceof NotAsked) {
          return null;
        }
        throw error;
      });
      told += story === null ? 0 : 1;
      expect(story?.failed?.failure.message, part.map(describeExamStep).join('\n')).toBeUndefined();
    }
    expect(told).toBeGreaterThan(PARTS / 5);
  });
});

/** A part of a story whose names are known, about some of its orders, without some of what is sent. */
function partOf(whole: readonly ExamStep[], dice: Dice): readonly ExamStep[] {
  const share = dice.between(0, 400);
  const part: ExamStep[] = [];
  for (const step of whole) {
    const isLeftOut = 'act' in step && dice.happens(share);
    if (!isLeftOut && unknownNames([...part, step]).length === 0) {
      part.push(step);
    }
  }
  return part;
}

describe.concurrent('the zoo', () => {
  test.each(CAUGHT.map((shop) => [shop.name, shop] as const))(
    '%s breaks a law in a short story',
    async (_, wrong) => {
      const secret = newSigningSecret();
      const { url, stop } = await startWrongShop(wrong, { port: 0, secret, baseUrl });
      const report = await readyShop(url, secret, PATIENCE_MS)
        .then((ready) => simulate(ready, SEEDS))
        .finally(stop);
      expect(report?.law).toEqual(expect.any(String));
      expect(report?.failure).toMatchObject({ is_shortest: true });
      expect(report?.failure?.story.length).toBeLessThanOrEqual(SHORT);
    },
  );
});
