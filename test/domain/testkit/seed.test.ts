import { describe, expect, it } from 'vitest';
import { bangkokDay, netOf } from '../../../shared/domain/balance.ts';
import { JOB_KINDS } from '../../../shared/domain/job.ts';
import { OPEN_STATUSES, PAYMENT_STATUSES } from '../../../shared/domain/payment.ts';
import { PAYMENT_METHODS } from '../../../shared/domain/payment-method.ts';
import { PAYOUT_STATUSES, payoutSumsOf } from '../../../shared/domain/payout.ts';
import { REFUND_STATUSES } from '../../../shared/domain/refund.ts';
import {
  type EntityOf,
  perResource,
  RESOURCE_NAMES,
  type ResourceName,
} from '../../../shared/domain/resource.ts';
import { formatNumber } from '../../../shared/domain/resource-number.ts';
import { numbersOf, runSeedScript, type Seed, type SeedBasis } from '../../../shared/domain/testkit/seed.ts';
import { SEED_PROFILES, type SeedProfile } from '../../../shared/domain/testkit/seed-script.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { simulatedAction } from '../../../shared/providers/simulated/simulated-provider.ts';
import { aWorld, CREATED_AT_MS } from '../../support/world/entities.ts';

const DAY_MS = 86_400_000;

function basisOf(profile: SeedProfile, changes: Partial<SeedBasis> = {}): SeedBasis {
  return {
    profile,
    seededAtMs: CREATED_AT_MS,
    baseUrl: 'https://pay.example/live',
    secret: 'a secret',
    countsBefore: perResource(() => 0),
    ...changes,
  };
}

function play(profile: SeedProfile, changes: Partial<SeedBasis> = {}): Seed {
  return runSeedScript(aWorld(), basisOf(profile, changes), simulatedAction);
}

const seeds = SEED_PROFILES.map((profile) => [profile, play(profile)] as const);

/** What must be the same for every merchant and at any time. */
function outlineOf({ made, summary }: Seed, seededAtMs: number) {
  const { payment, refund, paymentLink, payout, settlement } = made;
  return {
    payments: payment.map(({ reference, number, amount, method, status, createdAtMs, expiresAtMs }) => [
      reference,
      number,
      amount,
      method,
      status,
      createdAtMs - seededAtMs,
      expiresAtMs - seededAtMs,
    ]),
    others: [...refund, ...paymentLink, ...payout].map(({ number, amount, status, createdAtMs }) => [
      number,
      amount,
      status,
      createdAtMs - seededAtMs,
    ]),
    settlements: settlement.map(({ number, expected, stated, status, createdAtMs }) => [
      number,
      expected,
      stated,
      status,
      createdAtMs - seededAtMs,
    ]),
    totals: [summary.grossMinor, summary.refundedMinor],
  };
}

const idsIn = ({ made, sinks }: Seed) =>
  RESOURCE_NAMES.flatMap((name) => made[name].map(({ id }) => id)).concat(sinks.map(({ id }) => id));

const secretsIn = ({ made, sinks }: Seed) => [
  ...made.payment.map(({ pageSecret }) => pageSecret),
  ...made.paymentLink.map(({ code }) => code),
  ...sinks.map(({ create }) => create([])).flatMap(({ sink, endpoint }) => [sink.token, endpoint.secret]),
];

describe.each(SEED_PROFILES)('a seed of %s', (profile) => {
  it('is the same for the same input, secrets included', () => {
    const [one, two] = [play(profile), play(profile)];
    expect({ ...two, sinks: [] }).toEqual({ ...one, sinks: [] });
    expect(secretsIn(two)).toEqual(secretsIn(one));
    expect(idsIn(two)).toEqual(idsIn(one));
  });

  // Two minutes before and after a day changes in Bangkok, too.
  it.each([0, 5.5 * 3_600_000, Date.UTC(2027, 1, 28, 16, 58), Date.UTC(2027, 1, 28, 17, 2)])(
    'has the same references, amounts and offsets for every merchant and at any time: %i',
    (laterMs) => {
      const seededAtMs = CREATED_AT_MS + laterMs;
      const other = runSeedScript(
        aWorld({ id: worldIdOf('other', 'test') }),
        basisOf(profile, { seededAtMs }),
        simulatedAction,
      );
      expect(outlineOf(other, seededAtMs)).toEqual(outlineOf(play(profile), CREATED_AT_MS));
    },
  );

  it('has ids of its own in every world and epoch, and no id twice', () => {
    const worlds = [aWorld(), aWorld({ epoch: 2 }), aWorld({ id: worldIdOf('other', 'test') })];
    const ids = worlds.flatMap((world) => idsIn(runSeedScript(world, basisOf(profile), simulatedAction)));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('derives different secrets, which cannot be known without its own secret', () => {
    const secrets = [...secretsIn(play(profile)), ...secretsIn(play(profile, { secret: 'another' }))];
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  it('is numbered after existing resources, with as many numbers as it states', () => {
    const countsBefore = { ...perResource(() => 6), refund: 8 };
    const { made } = play(profile, { countsBefore });
    const first = RESOURCE_NAMES.map((name) => made[name][0]?.number);
    expect(first).toEqual(
      RESOURCE_NAMES.map((name) => made[name][0] && formatNumber(name, countsBefore[name] + 1)),
    );
    expect(first).toEqual(expect.arrayContaining(['P-000007', 'R-000009']));
    expect(numbersOf(profile)).toEqual(perResource((name) => made[name].length));
  });
});

describe.each(seeds)('what %s seeds', (_profile, seed) => {
  const { made, balances, jobs, ids, summary } = seed;
  const {
    payment: payments,
    refund: refunds,
    paymentLink: links,
    payout: payouts,
    settlement: settlements,
  } = made;

  it('is numbered in the order of time, and its ids sort so', () => {
    for (const kind of Object.values<readonly EntityOf<ResourceName>[]>(made)) {
      const times = kind.map(({ createdAtMs }) => createdAtMs);
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
      expect(kind.map(({ id }) => id)).toEqual(kind.map(({ id }) => id).toSorted());
      const numbers = kind.map(({ number }) => Number(number.slice(2)));
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    }
  });

  it('lies in the past', () => {
    for (const { createdAtMs, updatedAtMs } of [...payments, ...refunds, ...links, ...payouts]) {
      expect(updatedAtMs).toBeGreaterThanOrEqual(createdAtMs);
      expect(updatedAtMs).toBeLessThanOrEqual(CREATED_AT_MS);
    }
  });

  it('can be paid only while there is time', () => {
    for (const { status, expiresAtMs, succeededAtMs, late, updatedAtMs } of payments) {
      const isOpen = status === 'created' || status === 'requires_action';
      expect(!isOpen || expiresAtMs > CREATED_AT_MS).toBe(true);
      expect(status !== 'expired' || updatedAtMs === expiresAtMs).toBe(true);
      expect(succeededAtMs !== null).toBe(status === 'succeeded');
      expect(succeededAtMs === null || late || succeededAtMs < expiresAtMs).toBe(true);
    }
  });

  it('keeps the books of every refund on its payment', () => {
    for (const payment of payments) {
      const own = refunds.filter(({ paymentId }) => paymentId === payment.id);
      const sum = (some: typeof own) => some.reduce((total, { amount }) => total + amount.minor, 0);
      expect(payment.refundedMinor).toBe(sum(own.filter(({ status }) => status === 'succeeded')));
      expect(payment.refundableMinor).toBe(
        payment.amount.minor -
          sum(own.filter(({ status }) => !['rejected', 'canceled', 'failed'].includes(status))),
      );
      expect(payment.refundableMinor).toBeGreaterThanOrEqual(0);
      expect(own.every(({ createdAtMs }) => createdAtMs > Number(payment.succeededAtMs))).toBe(true);
    }
    expect(refunds.every(({ paymentId }) => payments.some(({ id }) => id === paymentId))).toBe(true);
  });

  it('counts as uses of a link the payments from it, within its limit', () => {
    for (const { id, uses, takenUses, maxUses } of links) {
      const own = payments.filter(({ linkId }) => linkId === id);
      expect(uses).toBe(own.filter(({ status }) => status === 'succeeded').length);
      expect(takenUses).toBe(uses + own.filter(({ status }) => OPEN_STATUSES.has(status)).length);
      // The only link of a profile that has a limit shows what happens when it is reached.
      expect(maxUses ?? uses).toBe(uses);
    }
  });

  it('settles everything once: each statement expects what no earlier payout took and kept', () => {
    const moved = [
      ...payments.map(({ succeededAtMs, amount }) => ({ atMs: succeededAtMs, minor: amount.minor })),
      ...refunds.map(({ succeededAtMs, amount }) => ({ atMs: succeededAtMs, minor: -amount.minor })),
      ...payouts
        .filter(({ status }) => status === 'failed' || status === 'returned')
        .map(({ updatedAtMs, amount }) => ({ atMs: updatedAtMs, minor: amount.minor })),
    ];
    const movedUntil = (untilMs: number) =>
      moved.reduce((sum, { atMs, minor }) => sum + (atMs !== null && atMs <= untilMs ? minor : 0), 0);
    let taken = 0;
    for (const { expected, stated, status, payoutId, createdAtMs, valueDate } of settlements) {
      expect(expected.minor).toBe(movedUntil(createdAtMs) - taken);
      expect(valueDate).toBe(bangkokDay(createdAtMs));
      expect(payouts.some(({ id }) => id === payoutId)).toBe(status === 'matched');
      if (status === 'matched') {
        expect(stated).toBeNull();
        taken += expected.minor;
      } else {
        expect(payoutId).toBeNull();
        expect(stated?.minor).toBeGreaterThan(0);
        expect(stated?.minor).not.toBe(expected.minor);
      }
    }
    expect(netOf(balances)).toBe(BigInt(movedUntil(CREATED_AT_MS) - taken));
    expect(new Set(balances.map(({ day }) => day)).size).toBe(balances.length);
    expect(new Set(settlements.map(({ valueDate }) => valueDate)).size).toBe(settlements.length);
  });

  it('pays out the sum of the statements that name the payout, with the last of them', () => {
    for (const { id, amount, settlementId, createdAtMs } of payouts) {
      const own = settlements.filter(({ payoutId }) => payoutId === id);
      expect(amount.minor).toBe(own.reduce((sum, { expected }) => sum + expected.minor, 0));
      expect(own.at(-1)).toMatchObject({ id: settlementId, createdAtMs });
    }
  });

  it('accounts for all its money: unsettled, pending or paid out', () => {
    const sumOf = (things: readonly (typeof payments | typeof refunds)[number][], ...statuses: string[]) =>
      things.reduce((sum, { status, amount }) => sum + (statuses.includes(status) ? amount.minor : 0), 0);
    const [gross, refunded] = [sumOf(payments, 'succeeded'), sumOf(refunds, 'succeeded')];
    expect([summary.grossMinor, summary.refundedMinor]).toEqual([gross, refunded]);
    const { pending, paidOut } = payoutSumsOf(payouts);
    expect(Number(netOf(balances) + pending + paidOut)).toBe(gross - refunded);
  });

  it('has a job for each thing that is still to happen, and no other', () => {
    const open = payments.filter(({ status }) => status === 'created' || status === 'requires_action');
    const expected = [
      ...open.map(({ id, expiresAtMs }) => [id, 'expire-payment', expiresAtMs]),
      ...refunds.flatMap(({ id, status, createdAtMs, updatedAtMs }) => [
        ...(status === 'requested' ? [[id, 'approve-refund', createdAtMs + 15 * 60_000]] : []),
        ...(status === 'approved' ? [[id, 'send-refund', updatedAtMs + 60_000]] : []),
      ]),
    ];
    const queued = jobs.map((job) => [
      'paymentId' in job ? job.paymentId : 'refundId' in job && job.refundId,
      job.kind,
      job.dueAtMs,
    ]);
    expect(queued.toSorted()).toEqual(expected.toSorted());
    expect(jobs.every(({ kind, dueAtMs }) => JOB_KINDS.includes(kind) && dueAtMs > CREATED_AT_MS)).toBe(true);
  });

  it('names existing resources, by their kind', () => {
    const all = new Map(
      Object.values(made)
        .flat()
        .map((one) => [one.id, one]),
    );
    for (const [name, id] of Object.entries(ids)) {
      const [kind, scenario = ''] = name.split('.');
      expect(all.has(id)).toBe(true);
      const statuses: readonly string[] = kind === 'payment' ? PAYMENT_STATUSES : REFUND_STATUSES;
      if (kind === 'payment' || kind === 'refund') {
        expect(statuses).toContain(scenario);
        expect(all.get(id)?.status).toBe(scenario);
      }
    }
    expect(new Set(Object.values(ids)).size).toBe(Object.keys(ids).length);
  });
});

const statusesIn = (entities: readonly { readonly status: string }[]) =>
  [...new Set(entities.map(({ status }) => status))].toSorted();

const countOf = (seed: Seed) => {
  const { payment, refund, paymentLink, payout } = seed.made;
  return [payment, refund, paymentLink, payout, seed.sinks].map(({ length }) => length);
};

describe('small', () => {
  const seed = play('small');

  it('is 10 payments in every status by 5 methods, 3 refunds, 2 links, 1 payout and 1 sink', () => {
    expect(countOf(seed)).toEqual([10, 3, 2, 1, 1]);
    expect(statusesIn(seed.made.payment)).toEqual(PAYMENT_STATUSES.toSorted());
    expect(new Set(seed.made.payment.flatMap(({ method }) => method ?? [])).size).toBe(5);
  });
});

describe('month', () => {
  const seed = play('month');

  it('is 300 payments over 30 days, 82 % succeeded, 12 refunds, 5 links and 4 payouts', () => {
    expect(countOf(seed)).toEqual([300, 12, 5, 4, 0]);
    expect(seed.made.payment.filter(({ status }) => status === 'succeeded')).toHaveLength(246);
    expect(statusesIn(seed.made.payment)).toEqual(PAYMENT_STATUSES.toSorted());
    const { fromMs, toMs } = seed.summary;
    expect(CREATED_AT_MS - fromMs).toBeLessThan(30 * DAY_MS);
    expect(CREATED_AT_MS - fromMs).toBeGreaterThan(29 * DAY_MS);
    expect(toMs).toBeGreaterThan(CREATED_AT_MS - DAY_MS);
  });

  it('is settled every day, on all but two days as expected, and paid out every week', () => {
    const days = seed.made.settlement.map(({ createdAtMs }) => (CREATED_AT_MS - createdAtMs) / DAY_MS);
    expect(days).toEqual(Array.from({ length: 29 }, (_, index) => 29 - index));
    const { settlement, payout } = seed.made;
    expect(settlement.flatMap(({ status }, index) => (status === 'mismatched' ? [index] : []))).toEqual([
      11, 24,
    ]);
    const paidWith = settlement.flatMap(({ id }, index) =>
      payout.some(({ settlementId }) => settlementId === id) ? [index] : [],
    );
    expect(paidWith).toEqual([7, 14, 21, 28]);
  });
});

describe('e2e', () => {
  const seed = play('e2e');

  it('has one object at least in every state of every type', () => {
    expect(statusesIn(seed.made.payment)).toEqual(PAYMENT_STATUSES.toSorted());
    expect(statusesIn(seed.made.refund)).toEqual(REFUND_STATUSES.toSorted());
    expect(statusesIn(seed.made.payout)).toEqual(PAYOUT_STATUSES.toSorted());
    expect(statusesIn(seed.made.paymentLink)).toEqual(['active', 'disabled']);
    expect(statusesIn(seed.made.settlement)).toEqual(['matched', 'mismatched']);
    const waiting = seed.made.payment.filter(({ status }) => status === 'requires_action');
    expect(waiting.map(({ method }) => method).toSorted()).toEqual(PAYMENT_METHODS.toSorted());
    expect(seed.made.payment.filter(({ late }) => late)).toHaveLength(2);
    expect(
      seed.made.paymentLink.some(({ expiresAtMs }) => expiresAtMs !== null && expiresAtMs < CREATED_AT_MS),
    ).toBe(true);
    expect(seed.made.paymentLink.some(({ uses, maxUses }) => uses === maxUses)).toBe(true);
    const sinks = seed.sinks.map(({ create }) => create([]).sink);
    expect(sinks.map(({ failCount, respondStatus }) => [failCount, respondStatus])).toEqual([
      [0, 200],
      [2, 200],
      [0, 503],
    ]);
  });
});
