import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { DAY_MS, SECOND_MS } from '../../../shared/domain/clock.ts';
import type { StandInFault } from '../../support/stripe/stand-in.ts';
import type { StoredEvent } from '../../support/stripe/stripe-account.ts';
import { passTime } from '../crash/workshop.ts';
import { propertyRuns, withinLimit } from '../model/property-runs.ts';
import { REFUND_AFTER, statusAfter } from './model.ts';
import { reconcile } from './reconcile.ts';
import { ORDER, type Shop, useMall } from './shop.ts';

const RUNS = 60;
const STEPS_MAX = 40;
const LIMIT_MS = 45_000;
/** Until all look-ups are done. */
const LAST_DAYS = 4;
/** An ended payment is looked up for three days (contract §15): later money is known by its notification alone. */
const LOOKED_UP_MS = 3 * DAY_MS - 7_200 * SECOND_MS;
const OTHER_MINOR = 100_000;

/** The faults of the next requests to Stripe. */
const MOODS: Readonly<Record<string, readonly StandInFault[]>> = {
  well: [],
  'does it, and is not heard': ['cut after', 'cut before'],
  'is not there': ['cut before', 'cut before'],
  'fails before': ['500 before'],
  'fails after': ['500 after'],
  'is busy': [{ status: 429, body: '{}' }],
};
const mood = fc.oneof(
  { weight: 4, arbitrary: fc.constant('well') },
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(MOODS)) },
);
const index = fc.nat(3);

/** One step. */
type Step =
  | { readonly kind: 'create'; readonly mood: string; readonly isRepeated: boolean }
  | {
      readonly kind: 'cancel' | 'askForRefund' | 'cancelRefund';
      readonly index: number;
      readonly mood: string;
    }
  | {
      readonly kind: 'payer';
      readonly index: number;
      readonly does: 'pays' | 'pays another amount' | 'is not done yet' | 'fails' | 'pays late';
    }
  | {
      readonly kind: 'bank';
      readonly index: number;
      readonly does: 'pays back' | 'fails' | 'is not done yet';
    }
  | {
      readonly kind: 'notification';
      readonly index: number;
      readonly how: 'once' | 'twice' | 'never';
      readonly mood: string;
    }
  | { readonly kind: 'time'; readonly seconds: number; readonly mood: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('create' as const), mood, isRepeated: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), index, mood }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('askForRefund' as const), index, mood }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancelRefund' as const), index, mood }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('payer' as const),
      index,
      does: fc.constantFrom(
        'pays' as const,
        'pays' as const,
        'pays another amount' as const,
        'is not done yet' as const,
        'fails' as const,
        'pays late' as const,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('bank' as const),
      index,
      does: fc.constantFrom('pays back' as const, 'fails' as const, 'is not done yet' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('notification' as const),
      index: fc.nat(20),
      how: fc.constantFrom('once' as const, 'twice' as const, 'never' as const),
      mood,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('time' as const),
      seconds: fc.constantFrom(1, 30, 60, 300, 900, 3_600, 86_400),
      mood,
    }),
  },
);

/** The known state of each payment, from Stripe's reports. */
interface Known {
  readonly status: Parameters<typeof statusAfter>[0];
  readonly expiresAtMs: number;
}

class Story {
  readonly #shop: Shop;
  readonly #payments = new Map<string, Known>();
  readonly #unsent: StoredEvent[] = [];
  #from: number;
  #created = 0;

  constructor(shop: Shop) {
    this.#shop = shop;
    this.#from = shop.account.events.length;
  }

  async take(next: Step): Promise<void> {
    const { stripe, account } = this.#shop;
    for (const fault of 'mood' in next ? (MOODS[next.mood] ?? []) : []) {
      stripe.script('POST /v1', fault);
      stripe.script('GET /v1', fault);
    }
    await this.#act(next);
    stripe.endScripts();
    this.#unsent.push(...account.events.slice(this.#from));
    this.#from = account.events.length;
    await this.#expectKnown(next);
  }

  /** In the end all requests succeed, and time goes on. */
  async end(): Promise<void> {
    const shop = this.#shop;
    await shop.rest();
    for (const { id, status } of shop.refunds()) {
      if (REFUND_AFTER[status] === 'processing') {
        shop.account.payBack(id);
      }
    }
    for (let day = 1; day <= LAST_DAYS; day += 1) {
      passTime(DAY_MS);
      await shop.runJobs();
    }
    await reconcile(shop);
  }

  async #act(next: Step): Promise<void> {
    const shop = this.#shop;
    const { api, account } = shop;
    switch (next.kind) {
      case 'create': {
        this.#created += 1;
        const create = () => shop.create({}, `k${this.#created}`);
        const first = await create();
        const answer = first.status === 201 || !next.isRepeated ? first : await create();
        expect([201, 502, 503]).toContain(answer.status);
        if (answer.status === 201) {
          const { id, status, expires_at } = answer.json;
          this.#payments.set(id, { status, expiresAtMs: Date.parse(expires_at) });
        }
        return;
      }
      case 'cancel': {
        const [id, known] = this.#paymentAt(next.index) ?? [];
        if (id !== undefined && known !== undefined) {
          const { status, problem } = await api(operations.cancelPayment, { params: { id }, body: {} });
          if (status === 200) {
            this.#payments.set(id, { ...known, status: 'canceled' });
            expect(this.#intentOf(id)?.status).toBe('canceled');
          } else if (problem.code === 'invalid_state') {
            if (shownStatus(known) === 'requires_action') {
              this.#learn(id);
            }
            expect(problem.details?.current_status).toBe(shownStatus(this.#payments.get(id) ?? known));
          } else {
            expect(problem.code).toBe('provider_unavailable');
          }
        }
        return;
      }
      case 'askForRefund': {
        const [id] = this.#paymentAt(next.index) ?? [];
        if (id !== undefined) {
          const amount = { currency: 'THB', minor: ORDER.amount.minor / 3 };
          await api(operations.requestRefund, { params: { id }, body: { amount } });
        }
        return;
      }
      case 'cancelRefund': {
        const { data } = (await api(operations.listRefunds)).json;
        const id = data[next.index]?.id;
        if (id !== undefined) {
          await api(operations.cancelRefund, { params: { id }, body: {} });
        }
        return;
      }
      case 'payer': {
        const [id, known] = this.#paymentAt(next.index) ?? [];
        const isLookedUp = Date.now() < Number(known?.expiresAtMs) + LOOKED_UP_MS;
        const intent = id === undefined ? undefined : this.#intentOf(id);
        const isOpen = intent?.status === 'requires_action';
        const isUnderWay = isOpen || intent?.status === 'processing';
        if (intent === undefined) {
          return;
        }
        const pays =
          next.does === 'pays late'
            ? intent.status === 'canceled' && isLookedUp
            : isUnderWay && next.does === 'pays';
        if (pays) {
          account.pay(intent.id);
        } else if (next.does === 'pays another amount' && isOpen) {
          account.pay(intent.id, OTHER_MINOR);
        } else if (next.does === 'is not done yet' && isOpen) {
          account.process(intent.id);
        } else if (next.does === 'fails' && isUnderWay) {
          account.fail(intent.id);
        }
        return;
      }
      case 'bank': {
        const open = shop.refunds().filter(({ status }) => REFUND_AFTER[status] === 'processing');
        const id = open[next.index]?.id;
        if (id !== undefined) {
          const does = {
            'pays back': 'payBack',
            fails: 'failRefund',
            'is not done yet': 'processRefund',
          } as const;
          account[does[next.does]](id);
        }
        return;
      }
      case 'notification': {
        const at = next.index % Math.max(this.#unsent.length, 1);
        const [event] = this.#unsent.splice(at, 1);
        if (event !== undefined && next.how !== 'never') {
          await this.#notify(event, next.how === 'twice' ? 2 : 1);
        }
        return;
      }
      case 'time':
        passTime(next.seconds * SECOND_MS);
        await shop.runJobs();
        // A look-up may have changed any payment.
        await this.#relearn();
    }
  }

  async #notify(event: StoredEvent, times: number): Promise<void> {
    const statuses: number[] = [];
    for (let nth = 0; nth < times; nth += 1) {
      const isTaken = statuses.includes(200);
      const requested = this.#shop.stripe.requests.length;
      statuses.push(await this.#shop.notify(event));
      // An accepted notification is not even looked up again.
      expect(this.#shop.stripe.requests.length === requested || !isTaken).toBe(true);
    }
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    if (!statuses.includes(200)) {
      // Stripe sends it again.
      this.#unsent.push(event);
      return;
    }
    const { object } = event.data;
    const id = object.metadata.payment_id ?? '';
    if (object.object === 'payment_intent' && this.#payments.has(id)) {
      this.#learn(id);
    } else if (object.object === 'refund') {
      const { json } = await this.#shop.api(operations.getRefund, {
        params: { id: String(object.metadata.refund_id) },
      });
      expect(json.status).toBe(REFUND_AFTER[this.#shop.account.refundOf(object.id).status]);
    }
  }

  /** The outcome at Stripe is known now. */
  #learn(id: string): void {
    const [known, intent] = [this.#payments.get(id), this.#intentOf(id)];
    if (known !== undefined && intent !== undefined) {
      this.#payments.set(id, { ...known, status: statusAfter(known.status, intent, isOver(known)) });
    }
  }

  /** The results of the clock's look-ups, if there were any. */
  async #relearn(): Promise<void> {
    const seen = (await this.#shop.api(operations.listPayments)).json.data;
    for (const [id, known] of this.#payments) {
      const status = seen.find((it) => it.id === id)?.status;
      this.#learn(id);
      const isStopped = this.#intentOf(id)?.status === 'canceled' && known.status === 'requires_action';
      if (isStopped && (status === 'canceled' || status === 'expired')) {
        // The clock has looked it up before its time was over, or after.
        this.#payments.set(id, { ...known, status });
      } else if (status === shownStatus(known)) {
        // No look-up has succeeded. One that is shown as expired may still be under way at Stripe (contract §15).
        this.#payments.set(id, known);
      }
    }
  }

  /** The API shows exactly what the model expects. */
  async #expectKnown(next: Step): Promise<void> {
    const { data } = (await this.#shop.api(operations.listPayments, { query: { limit: '100' } })).json;
    const shown = Object.fromEntries(data.map(({ id, status }) => [id, status]));
    const known = [...this.#payments].map(([id, it]) => [id, shownStatus(it)]);
    expect(shown, JSON.stringify(next)).toEqual(Object.fromEntries(known));
  }

  #intentOf(id: string) {
    return this.#shop.intents().find(({ metadata }) => metadata.payment_id === id);
  }

  #paymentAt(index: number) {
    return [...this.#payments].at(-1 - (index % Math.max(this.#payments.size, 1)));
  }
}

function shownStatus(known: Known): string {
  return known.status === 'requires_action' && isOver(known) ? 'expired' : known.status;
}

function isOver({ expiresAtMs }: Known): boolean {
  return Date.now() >= expiresAtMs;
}

describe.skipIf(inject('stripeMock') === null)('a live world', () => {
  const mall = useMall();

  test('matches its model under any actions of payers, banks, merchant, clock and Stripe', async ({
    task,
  }) => {
    let [stories, steps] = [0, 0];
    const run = withinLimit(LIMIT_MS, async (story: readonly Step[]) => {
      const nth = new Story(await mall.newShop());
      for (const next of story) {
        await nth.take(next);
        steps += 1;
      }
      await nth.end();
      stories += 1;
    });
    // Without a bias towards short sequences: most bugs need many commands.
    const story = fc.noBias(fc.array(step, { maxLength: STEPS_MAX, size: 'max' }));
    await fc.assert(fc.asyncProperty(story, run), propertyRuns(RUNS));
    expect(stories).toBeGreaterThan(0);
    task.meta.figures = {
      'live, random stories of a model, and what happened in them': `${stories}, ${steps}`,
    };
  });
});
