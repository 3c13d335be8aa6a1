// @module-tag nightly
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { QUESTION_IDS } from '../../infra/exam/run-exam.ts';
import { newSigningSecret } from '../../shared/domain/secret.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { examine } from './examine.ts';
import { startWrongShop } from './zoo/start-wrong-shop.ts';
import { WRONG_SHOPS } from './zoo/wrong-shops.ts';

/** Wrong shops fail quickly or never: they are not waited for as a right one is. */
const LIMITS = { patienceMs: 1_500, shrinkMs: 1_000 };
const SHOWN_EVENTS_MAX = 5;

// They print what they fail at.
beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe('the zoo', () => {
  test('has a wrong shop for every question, and each comes from another public thread', () => {
    const caught = new Set(WRONG_SHOPS.map(({ caughtBy }) => caughtBy));
    expect(QUESTION_IDS.filter((id) => !caught.has(id))).toEqual([]);
    expect([...caught].filter((id) => !QUESTION_IDS.includes(id))).toEqual([]);
    expect(WRONG_SHOPS.length).toBeGreaterThanOrEqual(24);
    expect(new Set(WRONG_SHOPS.map(({ name }) => name)).size).toBe(WRONG_SHOPS.length);
    expect(new Set(WRONG_SHOPS.map(({ thread }) => thread)).size).toBe(WRONG_SHOPS.length);
    expect(WRONG_SHOPS.filter(({ thread }) => !/^[\w.-]+\/[\w.-]+#\d+$/.test(thread))).toEqual([]);
  });
});

describe.concurrent('a wrong shop', () => {
  test.each(WRONG_SHOPS.map((shop) => [shop.name, shop.caughtBy, shop] as const))(
    '%s is caught by %s, and shown in at most five events',
    async (_, id, wrong) => {
      const secret = newSigningSecret();
      const { url, stop } = await startWrongShop(wrong, { port: 0, secret, baseUrl });
      const { report } = await examine(url, secret, { ids: [id], limits: LIMITS }).finally(stop);
      const [result] = report.questions;
      expect(result).toMatchObject({ id, verdict: 'failed' });
      const { failure } = result ?? {};
      expect(failure?.events.length).toBeGreaterThan(0);
      expect(failure?.events.length).toBeLessThanOrEqual(SHOWN_EVENTS_MAX);
      expect(failure?.story.length).toBeGreaterThan(0);
    },
  );
});
