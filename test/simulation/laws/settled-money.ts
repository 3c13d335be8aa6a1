import type { Seen } from '../../faults/model/invariants.ts';
import type { Break } from './law.ts';
import type { Stored } from './lives.ts';

/** Money that came so shortly before a settlement may be committed after it. */
const UNCLEAR_MS = 5 * 60_000;
/** A settlement is committed so long after it has read what has come, at most. */
const READ_MS = 60_000;
/** The clocks of two processes differ by less. */
const SKEW_MS = 1_000;

interface Jump {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a settlement takes: all money that had come by then, on the merchant's clock (contract §8). */
export class SettledMoney {
  /** By world: what its clock was moved past, since the last purge. */
  readonly #jumps = new Map<string, Jump[]>();
  /** By id of a payment, a refund or a settlement: when it was committed that it came, in real time. */
  readonly #committedAtMs = new Map<string, number>();
  /** Money that a move of a clock made due. */
  readonly #moved = new Set<string>();

  /** A commit has changed a clock. @param nowMs in real time */
  seeClock(worldId: string, offsetMs: number, nextOffsetMs: number, nowMs: number): void {
    const jump = { fromMs: nowMs + offsetMs, toMs: nowMs + nextOffsetMs };
    // Back is a purge.
    const jumps = jump.toMs < jump.fromMs ? [] : [...(this.#jumps.get(worldId) ?? []), jump];
    this.#jumps.set(worldId, jumps);
  }

  /** What one commit has made of a resource. @param nowMs in real time */
  seeResource(worldId: string, before: Stored | undefined, after: Stored, nowMs: number): void {
    const isMoney = (before?.succeededAtMs ?? null) === null && (after.succeededAtMs ?? null) !== null;
    if (isMoney || (before === undefined && after.sk === 'SETTLEMENT')) {
      this.#committedAtMs.set(after.id, nowMs);
    }
    const atMs = Number(after.succeededAtMs);
    const jumps = this.#jumps.get(worldId) ?? [];
    if (isMoney && jumps.some(({ fromMs, toMs }) => fromMs + SKEW_MS < atMs && atMs <= toMs)) {
      this.#moved.add(after.id);
    }
  }

  /**
   * Judges each settlement where nothing else came or went about its time, and where no payout came back. What time
   * makes due comes as late as its runner; what a move of the clock makes due has come before a settlement after it.
   */
  judge({ payments, refunds, payouts, settlements }: Seen, report: Break): void {
    if (!payouts.every(({ status }) => status === 'pending' || status === 'paid')) {
      return;
    }
    const money = [
      ...payments.map((it) => ({ ...it, minor: it.amount.minor })),
      ...refunds.map((it) => ({ ...it, minor: -it.amount.minor })),
    ]
      .map(({ id, minor, succeeded_at: at }) => ({ id, minor, atMs: Date.parse(at ?? '') }))
      .filter(({ atMs }) => Number.isFinite(atMs));
    let taken = 0;
    for (const { id, created_at, expected } of settlements.filter(({ status }) => status === 'matched')) {
      const settledAtMs = Date.parse(created_at);
      taken += expected.minor;
      const isUnclear = money.some(
        ({ id: its, atMs }) =>
          (atMs > settledAtMs - UNCLEAR_MS && atMs <= settledAtMs + UNCLEAR_MS / 60) ||
          (atMs <= settledAtMs && this.#isLate(its, id)),
      );
      const come = money.reduce((sum, { atMs, minor }) => sum + (atMs <= settledAtMs ? minor : 0), 0);
      if (!isUnclear && taken !== come) {
        report('conservation', `by ${id}, ${taken} satang were settled of ${come} that had come`);
      }
    }
  }

  #isLate(moneyId: string, settlementId: string): boolean {
    const [atMs, settledAtMs] = [moneyId, settlementId].map((id) => Number(this.#committedAtMs.get(id)));
    return !this.#moved.has(moneyId) && Number(atMs) > Number(settledAtMs) - READ_MS;
  }
}
