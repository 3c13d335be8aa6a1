import { describe, expect, it } from 'vitest';
import {
  applyPayoutOutcome,
  createPayout,
  PAYOUT_OUTCOMES,
  PAYOUT_STATUSES,
  type PayoutOutcome,
  type PayoutStatus,
  payoutMachine,
  payoutSumsOf,
} from '../../shared/domain/payout.ts';
import { afterOf } from '../../shared/domain/resource-change.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { reachableFrom, readLife, type Square, statesAllowing, take } from '../support/tools/life-table.ts';
import { aPayout, CREATED_AT_MS } from '../support/world/entities.ts';

/** Contract §8. */
const LIFE = readLife(`
            pay   fail    return
  pending   paid  failed  returned
  paid      -     -       returned
  failed    -     -       -
  returned  -     -       -
`);
/** The life of a payout by the outcomes of Simulate. */
const BY_OUTCOME = readLife(`
            paid  failed  returned
  pending   paid  failed  returned
  paid      -     -       returned
  failed    -     -       -
  returned  -     -       -
`);
const NOW = CREATED_AT_MS + 60_000;

function apply({ from, command }: Square, returnReason?: string) {
  const payout = Object.freeze(aPayout({ status: from as PayoutStatus, version: 3 }));
  return applyPayoutOutcome(payout, command as PayoutOutcome, returnReason, NOW);
}

describe('the life of a payout', () => {
  it('has the statuses of the contract and no others', () => {
    const statuses = ['failed', 'paid', 'pending', 'returned'];
    expect(PAYOUT_STATUSES.toSorted()).toEqual(statuses);
    expect(Object.keys(payoutMachine).toSorted()).toEqual(statuses);
  });

  it.each(LIFE.filter(({ to }) => to !== null))('goes from $from by $command to $to', (square) => {
    expect(take(payoutMachine, square)).toBe(square.to);
  });

  it.each(LIFE.filter(({ to }) => to === null))('refuses to $command a payout that is $from', (square) => {
    const { code, details } = problemOf(() => take(payoutMachine, square));
    expect(code).toBe('invalid_state');
    expect(details).toEqual({
      current_status: square.from,
      allowed_from: statesAllowing(LIFE, square.command),
    });
  });

  it('knows no command that is not in the table above', () => {
    const commands = new Set(Object.values(payoutMachine).flatMap((steps) => Object.keys(steps)));
    expect([...commands].toSorted()).toEqual(['fail', 'pay', 'return']);
  });

  it('can reach every status', () => {
    expect([...reachableFrom(payoutMachine, 'pending')].toSorted()).toEqual(PAYOUT_STATUSES.toSorted());
  });

  it('has the final states failed and returned', () => {
    expect([payoutMachine.failed, payoutMachine.returned]).toEqual([{}, {}]);
  });
});

describe("a bank's outcome of a payout", () => {
  it('is paid, failed or returned', () => {
    expect(PAYOUT_OUTCOMES.toSorted()).toEqual(['failed', 'paid', 'returned']);
  });

  it.each(BY_OUTCOME.filter(({ to }) => to !== null))(
    'moves one that is $from by $command to $to, with its event',
    (square) => {
      const after = {
        ...aPayout(),
        status: square.to,
        version: 4,
        returnReason: square.to === 'returned' ? 'account_closed' : null,
        updatedAtMs: NOW,
      };
      expect(apply(square)).toMatchObject({ resource: 'payout', before: { status: square.from } });
      expect(apply(square).steps).toEqual([
        { event: `payout.${square.command}`, previousStatus: square.from, after },
      ]);
    },
  );

  it.each(BY_OUTCOME.filter(({ to }) => to === null))(
    'is refused if it reports $command of one that is $from',
    (square) => {
      const problem = problemOf(() => apply(square));
      expect(problem).toMatchObject({ code: 'invalid_state', status: 409 });
      expect(problem.details).toEqual({
        current_status: square.from,
        allowed_from: statesAllowing(BY_OUTCOME, square.command),
      });
    },
  );

  it('keeps the reason that is given for a return', () => {
    const returned = apply({ from: 'paid', command: 'returned', to: 'returned' }, 'name_mismatch');
    expect(afterOf(returned).returnReason).toBe('name_mismatch');
  });

  it('never lets the time of a payout run backwards', () => {
    const payout = aPayout({ updatedAtMs: NOW });
    expect(afterOf(applyPayoutOutcome(payout, 'paid', undefined, NOW - 1)).updatedAtMs).toBe(NOW);
  });
});

describe('a new payout', () => {
  it('leaves what it cannot take on the last of its days, and nothing on the others', () => {
    const days = ['2026-03-01', '2026-03-02', '2026-03-03'].map((day) => ({
      day,
      shard: 0,
      paidMinor: 5n,
      refundedMinor: 0n,
    }));
    const expected = { currency: 'THB', minor: 7 } as const;
    const settlement = { id: 'stl_1', provider: 'p', createdAtMs: NOW, expected };
    const change = createPayout(settlement, { id: 'pot_1', number: 'O-000001' }, days, 3n);
    expect(change.consequences).toEqual([
      { kind: 'settle-day', balance: days[0], restMinor: 0n },
      { kind: 'settle-day', balance: days[1], restMinor: 0n },
      { kind: 'settle-day', balance: days[2], restMinor: 3n },
    ]);
    const after = {
      ...{ id: 'pot_1', number: 'O-000001', version: 1, settlementId: 'stl_1', provider: 'p' },
      ...{ status: 'pending', amount: expected, returnReason: null, createdAtMs: NOW, updatedAtMs: NOW },
    };
    expect(change).toMatchObject({ resource: 'payout', before: null });
    expect(change.steps).toEqual([{ event: 'payout.created', previousStatus: null, after }]);
  });
});

it('the sums of payouts are of those on their way, and of those that are paid', () => {
  const of = (status: PayoutStatus, minor: number) => ({
    status,
    amount: { currency: 'THB', minor } as const,
  });
  const most = Number.MAX_SAFE_INTEGER;
  const payouts = [of('pending', 1), of('pending', 2), of('paid', most), of('paid', most)];
  const returned = [of('failed', 4), of('returned', 8)];
  const sums = { pending: 3n, paidOut: 2n * BigInt(most) };
  expect(payoutSumsOf([...payouts, ...returned])).toEqual(sums);
});
