import type { EventType } from '../../shared/domain/resource.ts';
import {
  cancel,
  type ExamStep,
  expire,
  nextPayment,
  order,
  refund,
  secondPayment,
  send,
  simulate,
} from '../exam/acts.ts';
import type { MannerName } from '../exam/manners.ts';
import type { PaymentCreator } from '../exam/stories.ts';
import { Dice } from './dice.ts';

/** What a story can do with a shop. */
export interface ShopWays {
  readonly creator: PaymentCreator;
  /** Whether an order whose payment failed gets another payment. */
  readonly paysAgain: boolean;
}

/** The event of each outcome of a payment. */
export const EVENT_OF_OUTCOME = {
  succeeded: 'payment.succeeded',
  failed: 'payment.failed',
  pending: 'payment.processing',
  mismatch: 'payment.amount_mismatch',
} as const;
const OUTCOMES = { pay: 'succeeded', fail: 'failed', pend: 'pending', mismatch: 'mismatch' } as const;

/** What happens to an order, one after the other. Money that comes after `expire` and `cancel` is late. */
type OrderCommand =
  | keyof typeof OUTCOMES
  | 'expire'
  | 'cancel'
  /** Another payment of the order. */
  | 'again'
  /** The first payment of an order that has two. */
  | 'pay first'
  | 'refund part'
  | 'refund rest'
  | 'refund fails';

/** What may become of an order. */
const FATES: readonly (readonly OrderCommand[])[] = [
  ['pay'],
  ['pend', 'pay'],
  ['pend'],
  ['fail', 'again', 'pay'],
  ['mismatch'],
  ['mismatch', 'pay'],
  ['expire', 'pay'],
  ['cancel', 'pay'],
  ['fail'],
  ['expire'],
  ['cancel'],
];
/** Two payments of one order that are both paid. A shop that creates them has one of them open at a time. */
const PAID_TWICE: readonly OrderCommand[] = ['again', 'pay', 'pay first'];
const REFUNDS: readonly (readonly OrderCommand[])[] = [
  [],
  ['refund part'],
  ['refund part', 'refund part'],
  ['refund part', 'refund rest'],
  ['refund rest'],
  ['refund fails'],
];
/** What ends a payment that is open, or keeps it from expiring. */
const OF_OPEN: readonly (OrderCommand | undefined)[] = ['pend', 'fail', 'mismatch', 'cancel'];

const ORDERS = 8;
const [AMOUNT_MIN_MINOR, AMOUNT_MAX_MINOR] = [10_000, 500_000];
const REFUND_MIN_MINOR = 100;
/** Longer than most payments are open. */
const LONG = { advance: '1h' } as const;
const ONE_DAY = { advance: '24h' } as const;

/** Weather, in shares of a thousand: of each move, and of each event that is delivered. */
const SHARES = {
  repeat: 70,
  redeliver: 20,
  unknown: 30,
  long: 10,
  heldBack: 400,
  outOfOrder: 500,
  fiveAtOnce: 80,
  hungUp: 80,
  dayOld: 40,
} as const;

/** An event that the shop has to get. */
interface OwedEvent {
  readonly type: EventType;
  /** The payment or refund, by its name. */
  readonly of: string;
  readonly manner?: MannerName;
  /** It may not exist. */
  readonly optional?: true;
  readonly unlessAccepted?: true;
}

/** An order, as far as the story has come. */
interface StoryOrder {
  readonly name: string;
  /** What is still to happen. */
  commands: readonly OrderCommand[];
  /** Its events come when all of it has happened. */
  readonly isHeldBack: boolean;
  /** Of the newest payment. */
  payment: string;
  readonly open: Set<string>;
  owed: OwedEvent[];
  refundableMinor: number;
  /** The payments that the shop knows to be paid. */
  readonly known: Set<string>;
  /** The refunds, each with its payment. */
  readonly refunds: Map<string, string>;
}

/**
 * A story of many orders, made by a seed alone. Whatever is left out of it, the rest is fair to a right shop, as long as
 * its names are known. At its end, the shop has got every event.
 */
export function randomStory(seed: number, ways: ShopWays): readonly ExamStep[] {
  return new StoryMaker(seed, ways).make();
}

class StoryMaker {
  readonly #dice: Dice;
  readonly #ways: ShopWays;
  readonly #steps: ExamStep[] = [];
  readonly #orders: StoryOrder[] = [];
  readonly #delivered: OwedEvent[] = [];

  constructor(seed: number, ways: ShopWays) {
    this.#dice = new Dice(seed, 'story');
    this.#ways = ways;
  }

  make(): readonly ExamStep[] {
    const { creator, paysAgain } = this.#ways;
    const possible = FATES.filter((fate) => paysAgain || !fate.includes('again'));
    const fates = this.#dice.shuffled(creator === 'exam' ? [...possible, PAID_TWICE] : possible);
    const toOpen = fates.slice(0, ORDERS);
    for (;;) {
      const moves = [
        ...toOpen.slice(0, 1).map((fate) => () => {
          toOpen.shift();
          this.#open(fate);
        }),
        ...this.#orders.flatMap((each) => [
          ...(each.commands.length > 0 ? [() => this.#happen(each)] : []),
          ...(canDeliver(each) ? [() => this.#deliverNext(each)] : []),
        ]),
      ];
      if (moves.length === 0) {
        return this.#steps;
      }
      this.#dice.pick(moves)();
      this.#changeWeather();
    }
  }

  #open(fate: readonly OrderCommand[]): void {
    const name = String.fromCharCode('a'.charCodeAt(0) + this.#orders.length);
    const minor = this.#dice.between(AMOUNT_MIN_MINOR, AMOUNT_MAX_MINOR);
    const refunds = fate.includes('pay') ? this.#dice.pick(REFUNDS) : [];
    const opened: StoryOrder = {
      name,
      commands: [...fate, ...refunds],
      isHeldBack: this.#dice.happens(SHARES.heldBack),
      payment: name,
      open: new Set(),
      owed: [],
      refundableMinor: minor,
      known: new Set(),
      refunds: new Map(),
    };
    this.#orders.push(opened);
    this.#steps.push(order(name, minor));
    this.#begin(opened, name);
  }

  #begin(of: StoryOrder, payment: string): void {
    of.payment = payment;
    of.open.add(payment);
    of.owed.push(
      { type: 'payment.created', of: payment },
      { type: 'payment.requires_action', of: payment, ...this.#optionalAtShop() },
    );
  }

  /** The method and the expiry of a payment are the shop's, where it creates the payment. */
  #optionalAtShop(): Pick<OwedEvent, 'optional'> {
    return this.#ways.creator === 'shop' ? { optional: true } : {};
  }

  #happen(to: StoryOrder): void {
    const [command, ...later] = to.commands;
    to.commands = later;
    switch (command) {
      case undefined:
        break;
      case 'again':
        this.#payAgain(to);
        break;
      case 'expire':
        to.open.delete(to.payment);
        to.owed.push({ type: 'payment.expired', of: to.payment });
        // Other payments may be open for a little longer.
        this.#move(expire(`$${to.payment}`), LONG);
        break;
      case 'cancel':
        this.#end(to, to.payment, cancel(`$${to.payment}`), 'payment.canceled');
        break;
      case 'pay first':
        this.#simulate(to, to.name, OUTCOMES.pay);
        break;
      case 'refund part':
      case 'refund rest':
      case 'refund fails':
        this.#refund(to, command);
        break;
      default:
        this.#simulate(to, to.payment, OUTCOMES[command]);
    }
  }

  #simulate(of: StoryOrder, payment: string, outcome: keyof typeof EVENT_OF_OUTCOME): void {
    this.#end(of, payment, simulate(`$${payment}`, outcome), EVENT_OF_OUTCOME[outcome]);
  }

  #end(of: StoryOrder, payment: string, step: ExamStep, type: EventType): void {
    of.open.delete(payment);
    of.owed.push({ type, of: payment });
    this.#steps.push(step);
  }

  #payAgain(of: StoryOrder): void {
    const [first, next] = [of.payment, `${of.name}2`];
    if (this.#ways.creator === 'exam') {
      this.#steps.push(secondPayment(next, first));
    } else {
      // A shop creates the next payment when it knows that the first one failed.
      const failure = of.owed.find(({ type }) => type === 'payment.failed');
      if (failure !== undefined) {
        this.#deliver(of, failure);
      }
      this.#steps.push(nextPayment(next, `$${first}`));
    }
    this.#begin(of, next);
  }

  /** Moves the clock further than most payments are open. What ends an open one in another way happens before. */
  #move(...moves: readonly ExamStep[]): void {
    for (const each of this.#orders.filter(({ open }) => open.size > 0)) {
      while (OF_OPEN.includes(each.commands[0]) && each.open.has(each.payment)) {
        this.#happen(each);
      }
    }
    this.#steps.push(...moves);
    for (const each of this.#orders.filter(({ open }) => open.size > 0)) {
      const type = 'payment.expired';
      each.owed.push(...[...each.open].map((of) => ({ type, of, ...this.#optionalAtShop() }) as const));
      each.open.clear();
      each.commands = each.commands.filter((command) => command !== 'expire');
    }
  }

  #refund(of: StoryOrder, command: OrderCommand): void {
    const { payment, refundableMinor } = of;
    const name = `${of.name}r${of.refunds.size + 1}`;
    const isWhole = command === 'refund rest';
    const minor = isWhole
      ? refundableMinor
      : this.#dice.between(REFUND_MIN_MINOR, Math.floor(refundableMinor / 2));
    const isFailed = command === 'refund fails';
    const ending = isFailed ? 'failed' : 'succeeded';
    of.refunds.set(name, payment);
    of.refundableMinor -= isFailed ? 0 : minor;
    this.#steps.push(...refund(name, `$${payment}`, minor, ending));
    const types = ['refund.requested', 'refund.approved', 'refund.processing', `refund.${ending}`] as const;
    of.owed.push(...types.map((type) => ({ type, of: name })));
  }

  #deliverNext(to: StoryOrder): void {
    const isInOrder = !this.#dice.happens(SHARES.outOfOrder);
    const next = isInOrder ? to.owed[0] : this.#dice.pick(to.owed);
    if (next === undefined) {
      return;
    }
    const isPlain = next.manner === undefined && next.optional === undefined;
    if (isPlain && this.#dice.happens(SHARES.hungUp)) {
      this.#steps.push(send(next.type, `$${next.of}`, 'hungUp'));
      to.owed = [...to.owed.filter((each) => each !== next), { ...next, manner: 'retried' }];
    } else if (isPlain && this.#dice.happens(SHARES.fiveAtOnce)) {
      this.#deliver(to, next, 'fiveAtOnce');
    } else if (isPlain && this.#dice.happens(SHARES.dayOld)) {
      this.#deliver(to, next, 'dayOld');
    } else {
      this.#deliver(to, next);
    }
  }

  /** Delivers an event that the shop has to accept. */
  #deliver(to: StoryOrder, event: OwedEvent, manner = event.manner): void {
    const { of, type, ...way } = event;
    to.owed = to.owed.filter((each) => each !== event);
    this.#steps.push({ act: { send: type, of: `$${of}`, ...way, ...(manner && { manner }) } });
    if (event.optional === undefined) {
      this.#delivered.push({ type, of });
    }
    const payment = to.refunds.get(of);
    if (type === 'payment.succeeded') {
      to.known.add(of);
    } else if (payment !== undefined && !to.known.has(payment) && type === 'refund.succeeded') {
      // A shop may refuse the refund of a payment that it does not know yet, and gets it once more at the end.
      to.owed.push({ type, of, unlessAccepted: true });
    }
  }

  #changeWeather(): void {
    const dice = this.#dice;
    const events = this.#delivered;
    if (events.length > 0 && dice.happens(SHARES.repeat)) {
      const { type, of } = dice.pick(events);
      this.#steps.push(send(type, `$${of}`, 'retried'));
    }
    if (events.length > 0 && dice.happens(SHARES.redeliver)) {
      const { type, of } = dice.pick(events);
      this.#move(ONE_DAY);
      this.#steps.push(send(type, `$${of}`, 'nextDay'));
    }
    if (this.#orders.length > 0 && dice.happens(SHARES.unknown)) {
      this.#steps.push(send('payment.created', `$${dice.pick(this.#orders).name}`, 'unknownType'));
    }
    if (dice.happens(SHARES.long)) {
      this.#move(LONG);
    }
  }
}

function canDeliver({ owed, isHeldBack, commands }: StoryOrder): boolean {
  return owed.length > 0 && !(isHeldBack && commands.length > 0);
}
