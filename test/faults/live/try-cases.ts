import { describe, expect, inject, test } from 'vitest';
import { LONG_FUNCTION_TIMEOUT_SECONDS } from '../../../shared/contract/operation.ts';
import { DAY_MS, SECOND_MS } from '../../../shared/domain/clock.ts';
import {
  type End,
  FAULTS,
  type Fault,
  gatedRun,
  isToProvider,
  type Plan,
  type SentCall,
  type Spoilt,
} from '../../support/faults/gated-run.ts';
import { passTime, placesOf } from '../crash/workshop.ts';
import { reconcile } from './reconcile.ts';
import { type Mall, type Shop, useMall } from './shop.ts';

/** Longer than any lease. */
const LATER_MS = (LONG_FUNCTION_TIMEOUT_SECONDS + 5) * SECOND_MS;
/** How often a client repeats a request that was not performed. */
const REQUESTS_MAX = 4;

/** A request to a shop, by a client, a payer, Stripe or the clock, which can be repeated. */
export interface Case {
  readonly name: string;
  /** Prepares the shop. @returns the request; its result must be the same each time */
  readonly ready: (shop: Shop) => Promise<() => Promise<string>>;
  /** The result if nothing goes wrong. */
  readonly expected: string;
  /** Other later results, if payers or Stripe were quicker. */
  readonly orExpected?: readonly string[];
  /** Whether the sender may give up: all but the clock may. */
  readonly isGivenUp?: boolean;
}

/** Results of a request that was not performed, or is in progress: the sender repeats it. */
const NOT_DONE = [
  '503 provider_unavailable',
  '503 temporarily_unavailable',
  '503',
  '409 idempotency_in_progress',
];

/** What the sender does after a fault. */
const ENDINGS = {
  'is sent again': async (request: () => Promise<string>, { expected, orExpected = [] }: Case) => {
    let result = '';
    for (let attempt = 1; attempt <= REQUESTS_MAX; attempt += 1) {
      passTime(LATER_MS);
      result = await request();
      if (!NOT_DONE.includes(result)) {
        break;
      }
    }
    expect([expected, ...orExpected, ...NOT_DONE]).toContain(result);
    return result;
  },
  'is sent again when Stripe has forgotten it': async (request: () => Promise<string>) => {
    passTime(DAY_MS + LATER_MS);
    return request();
  },
  'is given up': async () => null,
  'is sent again in vain, and given up': async (
    request: () => Promise<string>,
    _: Case,
    { stripe }: Shop,
  ) => {
    passTime(LATER_MS);
    // The next request loses its response, and after that no connection succeeds.
    stripe.script('POST /v1', 'cut after', 'cut before');
    await request();
    stripe.endScripts();
    return null;
  },
} as const;
type Ending = keyof typeof ENDINGS;

/** The tests of `crash` try the other faults of a store with every request and runner. */
const OF_THE_STORE: readonly Fault[] = [
  'killed before',
  'killed after',
  'stalled after',
  'answer lost',
  'conflict',
];

/** How Stripe's notifications come: never, as soon as something happens, or late, each twice and in the wrong order. */
const NOTIFICATIONS = ['never', 'at once', 'wild'] as const;
/** When payers pay. */
const PAYERS = ['at last', 'at once', 'never'] as const;

/** Makes a test of each case that injects every fault into each of its calls, under all circumstances. */
export function tryCases(cases: readonly Case[]): void {
  describe.skipIf(inject('stripeMock') === null)('with a provider', () => {
    const mall = useMall();

    test.for(cases)(
      '$name: no failure of any call takes or gives money twice, loses it or leaves it open',
      async (it, { task }) => {
        let trials = 0;
        const failures: object[] = [];
        const calls = await callsOf(mall, it);
        const endings = endingsOf(it, calls);
        for (const fault of FAULTS) {
          for (const at of placesOf(fault, calls)) {
            const isProvider = calls.slice(at, at + 1).some(isToProvider);
            if (!isProvider && !OF_THE_STORE.includes(fault)) {
              continue;
            }
            const weathers = isProvider && isLost(fault) ? allOf(endings) : [oneOf(endings, trials)];
            for (const weather of weathers) {
              const payers =
                PAYERS[Math.floor(trials / NOTIFICATIONS.length / endings.length) % PAYERS.length];
              const trial = { plan: { at, fault }, ...weather, payers: payers ?? 'never' };
              await tryOne(mall.newShop, it, trial).catch((error: Error) =>
                failures.push({ ...trial, call: calls[at]?.name, error: error.message }),
              );
              trials += 1;
            }
          }
        }
        expect(failures).toEqual([]);
        const points = `${trials} at ${calls.length} calls`;
        task.meta.figures = {
          [`live, ${it.name}: faults, with what follows on them, each survived`]: points,
        };
      },
    );
  });
}

/** The endings after a fault of this case: the clock gives nothing up, and clients do not return after a day. */
function endingsOf({ isGivenUp = true }: Case, calls: readonly SentCall[]): Ending[] {
  const first = 'is sent again';
  if (!isGivenUp) {
    return [first, 'is sent again when Stripe has forgotten it'];
  }
  return calls.some(isToProvider)
    ? [first, 'is given up', 'is sent again in vain, and given up']
    : [first, 'is given up'];
}

/** Whether an effect may have no known outcome: the ending matters most then. */
function isLost(fault: Fault): boolean {
  return fault.endsWith('after') || fault === 'answer lost for good';
}

interface Weather {
  readonly ending: Ending;
  readonly notifications: (typeof NOTIFICATIONS)[number];
}

function allOf(endings: readonly Ending[]): Weather[] {
  return endings.flatMap((ending) => NOTIFICATIONS.map((notifications) => ({ ending, notifications })));
}

/** One after the other. */
function oneOf(endings: readonly Ending[], nth: number): Weather {
  const all = allOf(endings);
  return all[nth % all.length] as Weather;
}

interface Trial extends Weather {
  readonly plan: Plan;
  readonly payers: (typeof PAYERS)[number];
}

/** The calls if nothing goes wrong. */
async function callsOf({ newShop }: Mall, it: Case) {
  const shop = await newShop();
  const { calls, end } = await gatedRun(null, await it.ready(shop));
  expect(end).toEqual({ kind: 'done', value: it.expected });
  return calls;
}

/** Injects one fault into one call, lets everything else go on, and inspects the books. */
async function tryOne(
  newShop: Mall['newShop'],
  it: Case,
  { plan, ending, notifications, payers }: Trial,
): Promise<void> {
  const shop = await newShop();
  const { account } = shop;
  const request = await it.ready(shop);
  const spoil = (on: string, how: Spoilt) =>
    shop.stripe.script(on, how === 'busy' ? { status: 429, body: '{}' } : how);
  const { end, calls } = await gatedRun(plan, request, spoil);
  if (calls.length <= plan.at) {
    throw new Error('the call was never sent: nothing was tried');
  }
  expectHonest(end, it);
  if (payers === 'at once') {
    await shop.pay();
  }
  if (notifications === 'at once') {
    await shop.deliverNotifications();
  }
  await ENDINGS[ending](request, it, shop);
  if (end.kind === 'stalled') {
    expectHonest(await end.wake(), it);
  }
  if (payers === 'at last') {
    await shop.pay();
  }
  if (notifications === 'never') {
    shop.skipNotifications();
  }
  await shop.deliverNotifications({ isWild: notifications === 'wild' });
  await shop.rest();
  // Banks finish the refunds that they have started.
  const begun = shop.refunds().filter(({ status }) => status === 'requires_action');
  for (const { id } of begun) {
    account.payBack(id);
  }
  if (begun.length > 0) {
    await shop.rest();
  }
  await reconcile(shop);
  // One request, however often it is sent.
  expect([shop.intents(), shop.refunds()].map((all) => all.length <= 1)).toEqual([true, true]);
}

function expectHonest(end: End<string>, { expected, orExpected = [], isGivenUp }: Case): void {
  if (end.kind === 'done') {
    expect([expected, ...orExpected, ...NOT_DONE]).toContain(end.value);
  } else if (end.kind === 'threw' && isGivenUp !== false) {
    throw end.error;
  }
}
