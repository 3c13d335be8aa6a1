import { isCreatedWorldId } from '../../../shared/domain/world.ts';
import { booksOf, type Inspection, isMoney } from '../../faults/model/invariants.ts';
import { openedItem } from '../../support/world/opened-item.ts';
import type { ModelItem } from '../expressions.ts';
import type { StreamChange } from '../model-store.ts';
import { Answers } from './answers.ts';
import type { Law, Violation } from './law.ts';
import { judgeLife, judgeTime, type Stored } from './lives.ts';
import { Posts } from './posts.ts';
import { SettledMoney } from './settled-money.ts';

type Books = ReturnType<typeof booksOf>;

const DELETIONS = /^delete-endpoint$/;
/** A request takes no longer, however slow it is. */
const SLOW_MS = 120_000;
/** At rest, what is due has been looked at by a few ticks of the clock. */
const WAITS_MAX_MS = 5 * 60_000;
const RESOURCES = new Set(['PAYMENT', 'REFUND', 'PAYOUT', 'LINK', 'SETTLEMENT']);
const DEAD_REFUND = new Set(['rejected', 'canceled', 'failed']);
const USING = new Set(['created', 'requires_action', 'processing', 'succeeded']);

/** Watches one story, and notes what breaks a law. */
export class Watch {
  readonly violations: Violation[] = [];
  readonly answers = new Answers((law, what) => this.break(law, what));
  readonly posts = new Posts((law, what) => this.break(law, what));
  readonly settled = new SettledMoney();
  /** Resources as they are stored, by scope and id. */
  readonly #resources = new Map<string, Stored>();
  readonly #books = new Map<string, Books>();
  /** What live refunds hold of a payment, and how many uses of a link are held, in all and by late money. */
  readonly #refunded = new Map<string, number>();
  readonly #used = new Map<string, { held: number; late: number }>();
  readonly #leftAfter = new Map<string, number>();
  readonly #typed = new Map<string, (number | null)[]>();
  readonly #epochs = new Map<string, number>();
  /** How far the clock of a world is ahead, in milliseconds. */
  readonly #offsets = new Map<string, number>();
  readonly #statuses = new Map<string, { readonly scope: string; readonly status: string }>();
  /** Worlds that are copies, and not finished. */
  readonly #unfinished = new Set<string>();
  readonly #numbered = new Map<string, { readonly nth: number; readonly createdAtMs: number }[]>();
  readonly #numbers = new Map<string, string>();
  /** When the number of a payment was taken, on the merchant's clock. */
  readonly #numberedAtMs = new Map<string, number>();

  break = (law: Law, what: string): void => {
    if (!this.violations.some((each) => each.law === law && each.what === what)) {
      this.violations.push({ law, what });
    }
  };

  /** Notes what an inspection has found, but for keys that may have had another effect. */
  breakAll(law: Law, { violations }: Pick<Inspection, 'violations'>): void {
    for (const claim of violations.filter((each) => !this.answers.isAboutFreed(each))) {
      this.break(law, claim);
    }
  }

  /** A payer has typed an amount: a payment from the link is of an amount that was typed. */
  typed(linkId: string, minor: number | null): void {
    this.#typed.set(linkId, [...(this.#typed.get(linkId) ?? []), minor]);
  }

  /** What could still be refunded of a payment when a refund had been requested, in satang. */
  leftAfter(refundId: string): number | undefined {
    return this.#leftAfter.get(refundId);
  }

  /** The status of a resource as it is stored, whatever a look would show; undefined where it was purged. */
  storedStatus(id: string): string | undefined {
    const found = this.#statuses.get(id);
    return found === undefined || this.#isInPieces(found.scope) ? undefined : found.status;
  }

  /** A purge of a world was answered. @param nowMs in real time */
  endEpochs(worldId: string, nowMs: number): void {
    this.posts.endEpochs(worldId, this.#epochs.get(worldId) ?? 0, nowMs);
  }

  /** After each commit: what it has changed. @param nowMs in real time */
  seeChanges(changes: readonly StreamChange[], nowMs: number): void {
    const scopes = new Set<string>();
    this.#noteEpochs(changes, nowMs);
    const touched = new Map<string, Stored>();
    const commit = changes.map(({ before, after }) => ({
      before: before && opened(before),
      after: after && opened(after),
      scope: scopeOf(before ?? after),
    }));
    const find = (scope: string) => (id: string) => this.#resources.get(`${scope} ${id}`);
    for (const { before, after, scope } of commit) {
      if (before === undefined && after !== undefined && this.#unfinished.has(scope.split('.', 1)[0] ?? '')) {
        this.#judgeCopied(after);
      }
      if (after !== undefined && RESOURCES.has(String(after.sk)) && !this.#isInPieces(scope)) {
        judgeLife(before as Stored | undefined, after as unknown as Stored, find(scope), this.break);
        const worldId = scope.split('.', 1)[0] ?? '';
        const clockMs = nowMs + (this.#offsets.get(worldId) ?? 0);
        this.settled.seeResource(worldId, before as Stored | undefined, after as unknown as Stored, nowMs);
        judgeTime(before as Stored | undefined, after as unknown as Stored, clockMs, this.break);
        this.#judgeNumber(scope, after as unknown as Stored);
        this.#judgeTyped(scope, after as unknown as Stored);
      }
    }
    for (const { before, after, scope } of commit) {
      for (const [item, sign] of [
        [before, -1],
        [after, 1],
      ] as const) {
        if (item !== undefined && isMoney(item)) {
          this.#count(scope, item, BigInt(sign));
          scopes.add(scope);
        }
        if (item !== undefined && RESOURCES.has(String(item.sk))) {
          this.#tally(scope, item as unknown as Stored, sign, touched);
        }
      }
      const { paymentId } = (after ?? {}) as Partial<Stored>;
      // A copy has the ids of its source.
      if (before === undefined && after?.sk === 'REFUND' && !this.#isInPieces(scope)) {
        const payment = commit.find((one) => one.after?.id === paymentId)?.after as Stored | undefined;
        this.#leftAfter.set(String(after.id), Number(payment?.refundableMinor));
      }
      if (!isCreatedWorldId(scope.split('.', 1)[0] ?? '')) {
        this.posts.seeItem(scope, before, after);
      }
    }
    for (const scope of scopes) {
      if (!this.#isInPieces(scope)) {
        this.#judgeBooks(scope);
      }
    }
    for (const [key, stored] of touched) {
      if (!this.#isInPieces(key.slice(0, key.indexOf(' ')))) {
        this.#judgeTallies(key, stored);
      }
    }
  }

  /** At rest, what is due does not wait for long: the clock would wake a runner for it each minute. @param nowMs in real time */
  judgeDue(items: Iterable<ModelItem>, nowMs: number): void {
    for (const item of items) {
      const { pk, sk, duePk, dueSk } = item;
      const isLate = duePk !== undefined && Number.parseInt(String(dueSk), 10) < nowMs - WAITS_MAX_MS;
      if (isLate && !this.#isInPieces(scopeOf(item))) {
        this.break('due-time', `${String(pk).replace(/^[^#]*/, '')} ${sk} is due, and stays so`);
      }
    }
  }

  #noteEpochs(changes: readonly StreamChange[], nowMs: number): void {
    for (const { before, after } of changes) {
      if (after?.sk === 'WORLD') {
        this.#epochs.set(String(after.id), Number(after.epoch));
        const offsetMs = Number(after.clockOffsetMs);
        if (offsetMs !== Number(before?.clockOffsetMs ?? 0)) {
          this.settled.seeClock(String(after.id), Number(before?.clockOffsetMs ?? 0), offsetMs, nowMs);
        }
        this.#offsets.set(String(after.id), offsetMs);
        if (after.paymentCount !== before?.paymentCount && !isCreatedWorldId(String(after.id))) {
          const number = `${after.id}.${after.epoch} ${after.paymentCount}`;
          this.#numberedAtMs.set(number, nowMs + Number(after.clockOffsetMs));
        }
        after.forkSource === undefined
          ? this.#unfinished.delete(String(after.id))
          : this.#unfinished.add(String(after.id));
        const isPurged = before !== undefined && before.epoch !== after.epoch;
        if (isPurged && !isCreatedWorldId(String(after.id)) && after.clockOffsetMs !== 0) {
          this.break('epoch', `a purge left the clock ${after.clockOffsetMs} ms ahead`);
        }
      }
    }
  }

  /** What was purged is deleted piece by piece, and a copy is written piece by piece. */
  #isInPieces(scope: string): boolean {
    const [world = '', epoch] = scope.split('.');
    return this.#unfinished.has(world) || (this.#epochs.get(world) ?? 0) !== Number(epoch);
  }

  #count(scope: string, item: Record<string, unknown>, sign: bigint): void {
    const sums = this.#books.get(scope) ?? { received: 0n, unsettled: 0n, pending: 0n, paidOut: 0n };
    const added = booksOf([item]);
    const add = (name: keyof Books) => sums[name] + sign * added[name];
    this.#books.set(scope, {
      received: add('received'),
      unsettled: add('unsettled'),
      pending: add('pending'),
      paidOut: add('paidOut'),
    });
  }

  #judgeBooks(scope: string): void {
    const { received, unsettled, pending, paidOut } = this.#books.get(scope) as Books;
    if (received !== unsettled + pending + paidOut) {
      this.break(
        'conservation',
        `of ${received} satang, ${unsettled} are unsettled, ${pending} pending and ${paidOut} paid out`,
      );
    }
  }

  /** Counts a resource, or what it was, for the resources that it takes something from. */
  #tally(scope: string, stored: Stored, sign: 1 | -1, touched: Map<string, Stored>): void {
    const key = `${scope} ${stored.id}`;
    if (sign === 1) {
      this.#resources.set(key, stored);
      this.#statuses.set(stored.id, { scope, status: stored.status });
      touched.set(key, stored);
    }
    if (stored.sk === 'REFUND' && !DEAD_REFUND.has(stored.status)) {
      const payment = `${scope} ${stored.paymentId}`;
      this.#refunded.set(payment, (this.#refunded.get(payment) ?? 0) + sign * Number(stored.amount?.minor));
    }
    if (stored.sk === 'PAYMENT' && (stored.linkId ?? null) !== null && USING.has(stored.status)) {
      const link = `${scope} ${stored.linkId}`;
      const { held, late } = this.#used.get(link) ?? { held: 0, late: 0 };
      this.#used.set(link, { held: held + sign, late: late + (stored.late ? sign : 0) });
    }
  }

  #judgeTallies(key: string, { sk, id, amount, refundableMinor, maxUses, takenUses }: Stored): void {
    if (sk === 'PAYMENT') {
      const left = Number(amount?.minor) - (this.#refunded.get(key) ?? 0);
      if (refundableMinor !== left || left < 0) {
        this.break('refundable', `${id} lets refunds take ${refundableMinor}, where ${left} are left`);
      }
    } else if (sk === 'LINK') {
      const { held, late } = this.#used.get(key) ?? { held: 0, late: 0 };
      if (takenUses !== held || held - late > (maxUses ?? Number.POSITIVE_INFINITY)) {
        this.break('link-uses', `${id} counts ${takenUses} uses of ${maxUses}, and ${held} are held`);
      }
    }
  }

  #judgeTyped(scope: string, { id, linkId, amount }: Stored): void {
    const isOpen = this.#resources.get(`${scope} ${linkId}`)?.amount === null;
    if (isOpen && !this.#typed.get(String(linkId))?.includes(Number(amount?.minor))) {
      this.break('amount', `${id} is of ${amount?.minor} satang, which no payer has typed`);
    }
  }

  /** What a copy gets is held by nobody, and deletes nothing. */
  #judgeCopied({ pk, owner, kind }: Record<string, unknown>): void {
    const what = String(pk).replace(/^[^#]*/, '');
    if (owner !== undefined) {
      this.break('copy', `${what} of a copy is held by a runner of its source`);
    }
    if (DELETIONS.test(String(kind))) {
      this.break('copy', `${what} of a copy is a job ${kind}`);
    }
  }

  /** Numbers go up with time: what has a later one is not older, but for what a slow request takes. */
  #judgeNumber(scope: string, { sk, id, number, createdAtMs }: Stored): void {
    const nth = Number(number.slice(2));
    const numbered = this.#numbered.get(`${scope} ${sk}`) ?? [];
    const younger = numbered.find((other) => other.nth < nth && other.createdAtMs > createdAtMs + SLOW_MS);
    if (younger !== undefined) {
      this.break('number', `${number} is ${younger.createdAtMs - createdAtMs} ms older than a lower number`);
    }
    if (!numbered.some((other) => other.nth === nth)) {
      this.#numbered.set(`${scope} ${sk}`, [...numbered, { nth, createdAtMs }]);
    }
    const lateMs = (this.#numberedAtMs.get(`${scope} ${nth}`) ?? 0) - createdAtMs;
    if (sk === 'PAYMENT' && lateMs > SLOW_MS) {
      this.break('number', `${number} was taken ${lateMs} ms after the time of its payment`);
    }
    const key = `${scope} ${sk} ${number}`;
    const owner = this.#numbers.get(key) ?? id;
    this.#numbers.set(key, owner);
    if (owner !== id) {
      this.break('number', `${owner} and ${id} have the number ${number}`);
    }
  }
}

/** What is before a commit was after another one, most often. */
const OPENED = new WeakMap<ModelItem, Record<string, unknown>>();

function opened(item: ModelItem): Record<string, unknown> {
  if (item.data === undefined) {
    return item;
  }
  const known = OPENED.get(item) ?? openedItem(item);
  OPENED.set(item, known);
  return known;
}

/** A world in an epoch. */
function scopeOf(item: ModelItem | undefined): string {
  return String(item?.pk).split('#', 1)[0] ?? '';
}
