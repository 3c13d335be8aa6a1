import type { SettlementView } from '../../contract/settlements.ts';
import { PAYOUT_STATUSES, SUM_OF_PAYOUT } from '../../domain/payout.ts';
import type { BodyOf } from '../../story/operation-id.ts';
import { addressOf } from '../../story/route.ts';
import { moneyTexts } from './money-texts.ts';

const texts = moneyTexts.balance;

/** A sum of the balance. */
export interface BalanceSum {
  /** The field of the balance. */
  readonly name: Exclude<keyof BodyOf<'reports.GetBalance'>, 'as_of'>;
  readonly title: string;
  /** What the address lists of it. */
  readonly listed: string;
  readonly address: string;
}

type Latest = Pick<SettlementView, 'number' | 'created_at'> | undefined;

/** The sums of the balance, and where one sees what each is made of. @param latest matched settlement, if any */
export function balanceSums(latest: Latest): BalanceSum[] {
  return [
    { name: 'unsettled', title: texts.unsettled, ...unsettledList(latest) },
    { name: 'pending', title: texts.pending, listed: texts.pendingPayouts, address: payoutsIn('pending') },
    { name: 'paid_out', title: texts.paidOut, listed: texts.paidPayouts, address: payoutsIn('paidOut') },
  ];
}

/** The list of the payouts of a sum: of one status where only that is in it, else of all. */
function payoutsIn(sum: 'pending' | 'paidOut'): string {
  const [status, ...more] = PAYOUT_STATUSES.filter((each) => SUM_OF_PAYOUT[each] === sum);
  return addressOf(['payouts'], status === undefined || more.length > 0 ? {} : { status });
}

/** What no settlement took cannot be listed. What was created since the latest settlement comes close. */
function unsettledList(latest: Latest): Pick<BalanceSum, 'listed' | 'address'> {
  if (latest === undefined) {
    return { listed: texts.succeededPayments, address: addressOf(['payments'], { status: 'succeeded' }) };
  }
  return {
    listed: texts.succeededSince(latest.number),
    address: addressOf(['payments'], { status: 'succeeded', created_from: latest.created_at }),
  };
}
