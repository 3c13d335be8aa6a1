import { booksOf, isMoney } from '../faults/model/invariants.ts';
import { openedItem } from '../support/world/opened-item.ts';
import type { ModelItem } from './expressions.ts';
import type { StreamChange } from './model-store.ts';
import type { Answer } from './simulated-client.ts';
import type { SimulatedRequest } from './simulated-service.ts';

/** What must hold in every story, with the section of the contract that says so. */
export const LAWS = {
  conservation: 'payments − refunds = unsettled + pending + paid out, after every commit (§8)',
  'one-effect': 'a key has one effect, and every answer after the first is its replay, to the byte (§4)',
  isolation: 'nobody sees an id of another merchant (§1)',
  'no-defect': 'no request is answered by internal_error (§2)',
  answered: 'every request is answered for good, once the weather is fair (§4)',
  clock: 'the clock of a world goes forward (§11)',
  rest: 'at rest, money, numbers, events, deliveries and times agree (§5–§14)',
} as const;
export type Law = keyof typeof LAWS;

export interface Violation {
  readonly law: Law;
  readonly what: string;
}

type Books = ReturnType<typeof booksOf>;

const ID = /\b(?:pay|ref|lnk|pot|stl|evt|snk|whe|dlv)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
/** Clocks of processes differ by this, in milliseconds. */
const SKEWS_MS = 1_000;

/** Watches one story, and notes what breaks a law. */
export class Watch {
  readonly violations: Violation[] = [];
  readonly #books = new Map<string, Books>();
  readonly #owners = new Map<string, string>();
  readonly #answers = new Map<string, string>();
  readonly #clocks = new Map<string, number>();

  break(law: Law, what: string): void {
    if (!this.violations.some((each) => each.law === law && each.what === what)) {
      this.violations.push({ law, what });
    }
  }

  /** After each commit: what it has changed. */
  seeChanges(changes: readonly StreamChange[]): void {
    const touched = new Set<string>();
    for (const { before, after } of changes) {
      for (const [item, sign] of [
        [before, -1n],
        [after, 1n],
      ] as const) {
        if (item !== undefined && isMoney(item)) {
          touched.add(this.#count(item, sign));
        }
      }
    }
    for (const scope of touched) {
      const { received, unsettled, pending, paidOut } = this.#books.get(scope) as Books;
      if (received !== unsettled + pending + paidOut) {
        this.break(
          'conservation',
          `of ${received} satang, ${unsettled} are unsettled, ${pending} pending and ${paidOut} paid out`,
        );
      }
    }
  }

  #count(item: ModelItem, sign: bigint): string {
    // A world in an epoch.
    const scope = String(item.pk).split('#', 1)[0] ?? '';
    const sums = this.#books.get(scope) ?? { received: 0n, unsettled: 0n, pending: 0n, paidOut: 0n };
    const added = booksOf([openedItem(item)]);
    const add = (name: keyof Books) => sums[name] + sign * added[name];
    this.#books.set(scope, {
      received: add('received'),
      unsettled: add('unsettled'),
      pending: add('pending'),
      paidOut: add('paidOut'),
    });
    return scope;
  }

  /** The latest time of a merchant's clock that an answer has named, in epoch milliseconds. */
  clockOf(merchant: string): number {
    return this.#clocks.get(merchant) ?? Number.NEGATIVE_INFINITY;
  }

  /**
   * Each answer, and whose it is.
   * @param clockAtSend what `clockOf` said when the request was sent
   */
  seeAnswer(merchant: string, request: SimulatedRequest, answer: Answer, clockAtSend: number): void {
    const { status, headers, body } = answer;
    if (status === 500) {
      this.break('no-defect', `${request.method} ${request.path} found a defect`);
    }
    for (const [id] of body.matchAll(ID)) {
      const owner = this.#owners.get(id) ?? merchant;
      this.#owners.set(id, owner);
      if (owner !== merchant) {
        this.break('isolation', `${merchant} sees ${id} of ${owner}`);
      }
    }
    const clockMs = Date.parse(String(headers['pg-clock']));
    if (clockMs < clockAtSend - SKEWS_MS && headers['idempotent-replayed'] === undefined) {
      this.break('clock', `the clock of ${merchant} went back by ${clockAtSend - clockMs} ms`);
    }
    if (clockMs > this.clockOf(merchant)) {
      this.#clocks.set(merchant, clockMs);
    }
    const key = request.headers?.['Idempotency-Key'];
    const isDone = status >= 200 && status < 300;
    if (key !== undefined && isDone) {
      const first = this.#answers.get(`${merchant} ${key}`) ?? body;
      this.#answers.set(`${merchant} ${key}`, first);
      if (first !== body) {
        this.break('one-effect', `${request.method} ${request.path} was answered in two ways`);
      }
    }
  }
}
