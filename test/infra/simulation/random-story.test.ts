import { describe, expect, test } from 'vitest';
import { describeExamStep, type ExamStep, type SendAct, unknownNames } from '../../../infra/exam/acts.ts';
import { randomStory, type ShopWays } from '../../../infra/simulation/random-story.ts';

const BY_EXAM: ShopWays = { creator: 'exam', paysAgain: true };
const BY_SHOP: ShopWays = { creator: 'shop', paysAgain: true };
const SEEDS = Array.from({ length: 100 }, (_, index) => index + 1);

const storiesOf = (ways: ShopWays) => SEEDS.map((seed) => randomStory(seed, ways));
const [OF_EXAM, OF_SHOP] = [storiesOf(BY_EXAM), storiesOf(BY_SHOP)];
const linesOf = (steps: readonly ExamStep[]) => steps.map(describeExamStep);

function sendsIn(steps: readonly ExamStep[]): SendAct[] {
  return steps.flatMap((step) => ('act' in step && 'send' in step.act ? [step.act] : []));
}

/** What has to be sent for what happens in a story: `payment.succeeded $a`. */
function owedBy(steps: readonly ExamStep[]): string[] {
  const types: Readonly<Record<string, string>> = {
    pending: 'processing',
    mismatch: 'amount_mismatch',
    'payments.cancel': 'canceled',
  };
  return steps.flatMap((step): string[] => {
    if ('simulate' in step) {
      const { payment, refund, outcome } = step.simulate as Record<string, string>;
      return [
        `${payment === undefined ? 'refund' : 'payment'}.${types[String(outcome)] ?? outcome} ${payment ?? refund}`,
      ];
    }
    if ('act' in step) {
      return 'expire' in step.act ? [`payment.expired ${step.act.expire}`] : [];
    }
    return 'call' in step && step.call in types ? [`payment.${types[step.call]} ${step.id}`] : [];
  });
}

describe('a random story', () => {
  test('is the same for the same seed, and another one for another', () => {
    for (const [ways, all] of [
      [BY_EXAM, OF_EXAM],
      [BY_SHOP, OF_SHOP],
    ] as const) {
      expect(randomStory(7, ways)).toEqual(all[6]);
      expect(new Set(all.map((steps) => linesOf(steps).join('\n'))).size).toBe(SEEDS.length);
    }
  });

  test('uses names that its steps have given before, and has eight orders', () => {
    for (const steps of [...OF_EXAM, ...OF_SHOP]) {
      expect(unknownNames(steps)).toEqual([]);
      expect(linesOf(steps).filter((line) => line.startsWith('order '))).toHaveLength(8);
    }
  });

  test('delivers at its end the event of everything that has happened', () => {
    for (const steps of [...OF_EXAM, ...OF_SHOP]) {
      const heard = sendsIn(steps)
        .filter(({ manner }) => manner !== 'hungUp')
        .map(({ send, of }) => `${send} ${of}`);
      const owed = owedBy(steps);
      expect(owed.length).toBeGreaterThan(3);
      expect(owed.filter((each) => !heard.includes(each))).toEqual([]);
    }
  });

  test('has late money, failures, mismatches, refunds and all weather, as the seed decides', () => {
    const all = OF_EXAM;
    const lines = new Set(all.flatMap(linesOf).map((line) => line.replaceAll(/\$\w+|\d+/g, '_')));
    const outcomes = ['succeeded', 'failed', 'pending', 'mismatch'].map(
      (each) => `payment _, outcome ${each}`,
    );
    for (const part of [
      ...outcomes,
      'refund _, outcome succeeded',
      'refund _, outcome failed',
      'expire _',
      'payments.cancel _',
      'payments.create',
    ]) {
      expect(
        [...lines].some((line) => line.includes(part)),
        part,
      ).toBe(true);
    }
    const manners = new Set(all.flatMap(sendsIn).map(({ manner }) => manner));
    expect([...manners].toSorted()).toEqual([
      'dayOld',
      'fiveAtOnce',
      'hungUp',
      'nextDay',
      'retried',
      'unknownType',
      undefined,
    ]);
    const isReversed = (steps: readonly ExamStep[]) => {
      const types = sendsIn(steps)
        .filter(({ of }) => of === '$a')
        .map(({ send }) => send);
      return (
        types.indexOf('payment.succeeded') > -1 &&
        types.lastIndexOf('payment.created') > types.indexOf('payment.succeeded')
      );
    };
    expect(all.filter(isReversed).length).toBeGreaterThan(SEEDS.length / 20);
  });

  test('lets a shop create a second payment when it knows that the first one failed', () => {
    const asked = OF_SHOP.filter((steps) => linesOf(steps).some((line) => line.startsWith('again ')));
    expect(asked.length).toBeGreaterThan(SEEDS.length / 4);
    for (const steps of asked) {
      const lines = linesOf(steps);
      const at = lines.findIndex((line) => line.startsWith('again '));
      const [, first] = /^again (\$\w+)/.exec(String(lines[at])) ?? [];
      const known = sendsIn(steps.slice(0, at)).filter(
        ({ send, of, manner }) => send === 'payment.failed' && of === first && manner !== 'hungUp',
      );
      expect(known.length).toBeGreaterThan(0);
    }
    const never = storiesOf({ creator: 'shop', paysAgain: false }).flatMap(linesOf);
    expect(never.filter((line) => line.startsWith('again ') || line.includes('payments.create'))).toEqual([]);
  });
});
