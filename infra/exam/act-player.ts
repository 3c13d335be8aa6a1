import { randomUUID } from 'node:crypto';
import { ProblemError } from '../../shared/client/call-error.ts';
import { mapLimit } from '../../shared/concurrency/map-limit.ts';
import { PING, pingBody } from '../../shared/contract/events.ts';
import type { ScenarioFields } from '../../shared/contract/testkit/scenarios.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { newId } from '../../shared/domain/id.ts';
import type { Money } from '../../shared/domain/money.ts';
import type { Event } from '../events/follow-events.ts';
import { roll } from '../scenario/dice.ts';
import { type ActStep, describeExamStep, type ExamAct, type SendAct } from './acts.ts';
import type { ExamPlay } from './exam-play.ts';
import { expectTruth } from './expect-truth.ts';
import { holdApi } from './held-api.ts';
import { MANNERS, type Manner, mannerOf } from './manners.ts';
import type { EventObject } from './order-book.ts';
import { askProbe, openOrder, type ProbeResult, ShopError } from './shop.ts';
import { type Finding, ShopFailure } from './shop-failure.ts';

/** Amounts are different, so that a shop cannot take one order for another. */
const [AMOUNT_MIN_MINOR, AMOUNT_RANGE_MINOR] = [10_000, 900_000];
/** The first payment of a deployed service may take seconds. Shops wait for it, but not for ever. */
const EARLY_WITHIN_MS = 10 * SECOND_MS;
const BURST_AT_ONCE = 8;
/** The events of each order of a burst. Where the shop creates the payment, its method may be open. */
const BURST_TYPES = [
  ['payment.created', false],
  ['payment.requires_action', true],
  ['payment.processing', false],
  ['payment.succeeded', false],
] as const;

/** A step sends an event that does not exist: the story was shortened too far, and says nothing of the shop. */
export class UnfairStory extends Error {}

/** What the question is about did not happen, and not because the shop is wrong. */
export class NotAsked extends Error {}

/** The service has refused what a question needs: that is no finding about the shop. */
export class ServiceRefusal extends Error {}

/** Plays one act at the shop. */
export class ActPlayer {
  readonly #play: ExamPlay;
  readonly #step: ActStep;

  constructor(play: ExamPlay, step: ActStep) {
    this.#play = play;
    this.#step = step;
  }

  /**
   * @param act with its references replaced
   * @returns the payment that the step names
   * @throws ShopFailure, ShopError if the shop does not do what it must; UnfairStory, NotAsked, ServiceRefusal
   */
  async play(act: ExamAct): Promise<ScenarioFields> {
    try {
      return (await this.#act(act)) ?? {};
    } catch (error) {
      throw error instanceof ProblemError ? new ServiceRefusal(error.message, { cause: error }) : error;
    }
  }

  async #act(act: ExamAct): Promise<ScenarioFields | undefined> {
    if ('order' in act) {
      return act.early ? this.#orderEarly() : this.#order(act.minor);
    }
    if ('again' in act) {
      return this.#nextPayment(act.again);
    }
    if ('stranger' in act) {
      return { ...(await this.#payment(newReference(), this.#amount())) };
    }
    if ('send' in act) {
      return this.#send(act);
    }
    if ('forge' in act) {
      return this.#forge(act.forge, MANNERS[act.manner]);
    }
    if ('signed' in act) {
      return this.#expectTrust(act.signed);
    }
    if ('ping' in act) {
      return this.#deliver(pingEvent(), mannerOf(act.manner));
    }
    if ('probe' in act) {
      return this.#probe(act.probe);
    }
    if ('ghost' in act) {
      return this.#ghost(act.ghost);
    }
    return 'expire' in act ? this.#expire(act.expire) : this.#burst(act.burst);
  }

  /** Where the shop takes no orders, the payment alone is there. */
  async #order(given?: number): Promise<ScenarioFields> {
    const { world, shop, book } = this.#play;
    const reference = newReference();
    const amount = this.#amount(given);
    const own = shop.order === null ? null : await openOrder(shop.order, reference, amount, world.key);
    const payment = await (own === null ? this.#payment(reference, amount) : this.#ownPayment(own));
    if (shop.order !== null) {
      book.add({ reference, paymentId: payment.id });
    }
    return { ...payment };
  }

  /** The payment is paid, and its events are sent, while the shop waits for the response of the API. */
  async #orderEarly(): Promise<ScenarioFields> {
    const { shop, book, log, baseUrl, publishedWithinMs } = this.#play;
    const { client, key } = this.#play.world;
    const reference = newReference();
    const amount = this.#amount();
    const before = await log.payments();
    const api = isOnThisMachine(String(shop.order)) ? await holdApi(baseUrl) : null;
    try {
      const opening = openOrder(String(shop.order), reference, amount, key, api?.url);
      // Awaited below, unless something fails before.
      opening.catch(() => undefined);
      // The reference of the payment may be a number of the shop's own.
      const isOwn = ({ type, data }: Event) => {
        const object = data.object as EventObject;
        const isNew = type === 'payment.created' && !before.has(String(object.id));
        return object.reference === reference || (isNew && object.amount?.minor === amount.minor);
      };
      const created = await Promise.race([
        log.find(isOwn, Math.max(EARLY_WITHIN_MS, publishedWithinMs)),
        opening.then(() => undefined),
      ]);
      if (created !== undefined) {
        const { id } = created.data.object as EventObject;
        book.add({ reference, paymentId: String(id) });
        await client.simulatePayment(String(id), { outcome: 'succeeded' });
        const succeeded = await this.#find('payment.succeeded', String(id));
        // A shop may refuse what it does not know yet. Then it is sent once more.
        await this.#deliver(succeeded ?? created, MANNERS.early);
      }
      api?.release();
      const payment = await this.#ownPayment(String(await opening));
      book.add({ reference, paymentId: payment.id });
      if (created === undefined) {
        await this.#successWhileOrdering(payment.id);
      }
      return { ...payment };
    } finally {
      api?.stop();
    }
  }

  /** The shop does not use the held address: the event comes while it is asked for the same order once more. */
  async #successWhileOrdering(paymentId: string): Promise<void> {
    await this.#play.world.client.simulatePayment(paymentId, { outcome: 'succeeded' });
    const succeeded = await this.#find('payment.succeeded', paymentId);
    if (succeeded === undefined) {
      throw new UnfairStory(`${paymentId} has no event payment.succeeded`);
    }
    await Promise.all([this.#reopen(paymentId), this.#deliver(succeeded, MANNERS.early)]);
  }

  /** The next payment of an order, at a shop that creates its payments itself. */
  async #nextPayment(paymentId: string): Promise<ScenarioFields> {
    const id = await this.#reopen(paymentId);
    if (id === null || id === paymentId) {
      throw new NotAsked('a second order with one reference was answered with the same payment');
    }
    const { book } = this.#play;
    const payment = await this.#ownPayment(id);
    const order = book.orderOf({ id: paymentId });
    if (order !== undefined) {
      book.addPayment(order, id);
    }
    return { ...payment };
  }

  /** By the reference of the exam: that of the payment may be a number of the shop's own. */
  async #reopen(paymentId: string): Promise<string | null> {
    const { world, book, shop } = this.#play;
    const { client, key } = world;
    const { amount } = await client.getPayment(paymentId);
    const reference = String(book.orderOf({ id: paymentId })?.reference);
    try {
      return await openOrder(String(shop.order), reference, amount as Money, key);
    } catch (error) {
      throw error instanceof ShopError
        ? new NotAsked(`the shop takes no second order with one reference: ${error.message}`)
        : error;
    }
  }

  /** The payment that the shop has created. */
  async #ownPayment(id: string) {
    try {
      return await this.#play.world.client.getPayment(id);
    } catch (error) {
      throw error instanceof ProblemError && error.status === 404
        ? new ShopError(`--order answered the payment_id ${id}, which is no payment of the world of x-pg-key`)
        : error;
    }
  }

  #payment(reference: string, amount: Money) {
    return this.#play.world.client.createPayment({ amount, reference, method: 'promptpay' });
  }

  #amount(given?: number): Money {
    const dice = roll(this.#play.seed, describeExamStep(this.#step));
    return { currency: 'THB', minor: given ?? AMOUNT_MIN_MINOR + Math.floor(dice * AMOUNT_RANGE_MINOR) };
  }

  async #send({ send: type, of, manner, optional, unlessAccepted }: SendAct): Promise<undefined> {
    const event = await this.#find(type, of, optional);
    if (unlessAccepted && event !== undefined && this.#play.courier.hasAccepted(event.id)) {
      return;
    }
    if (event !== undefined) {
      await this.#deliver(event, mannerOf(manner));
    } else if (!optional) {
      throw new UnfairStory(`${of} has no event ${type}`);
    }
  }

  /** The success of a payment that is not paid, as the event would be if it were. */
  async #forge(paymentId: string, manner: Manner): Promise<undefined> {
    const created = await this.#find('payment.created', paymentId);
    if (created === undefined) {
      throw new UnfairStory(`${paymentId} has no event payment.created`);
    }
    const payment = await this.#play.world.client.getPayment(paymentId);
    const now = Date.now();
    const timestamp = new Date(now).toISOString();
    const object = { ...payment, status: 'succeeded', succeeded_at: timestamp, updated_at: timestamp };
    const data = { object, previous_status: payment.status };
    const forgery = { ...created, id: newId('evt', now), type: 'payment.succeeded', timestamp, data };
    return this.#deliver(forgery as Event, manner);
  }

  /** A refusal means something where what is signed right is accepted: a shop may know no pings, or no such payment. */
  async #expectTrust(paymentId: string): Promise<undefined> {
    try {
      await this.#deliver(pingEvent(), mannerOf(undefined));
    } catch (error) {
      const created = await this.#find('payment.created', paymentId);
      if (!(error instanceof ShopFailure) || created === undefined) {
        throw error;
      }
      if ((await this.#play.courier.send(created, mannerOf(undefined))) !== null) {
        throw error;
      }
    }
  }

  /** What has happened may not be published yet: then the clock moves by seconds, which publishes it. */
  async #find(type: string, id: string, isOptional = false): Promise<Event | undefined> {
    const found = await this.#play.log.find(isEventOf(type, id), 0);
    if (found !== undefined) {
      return found;
    }
    await this.#play.world.runDue();
    return this.#published(type, id, isOptional);
  }

  #published(type: string, id: string, isOptional: boolean): Promise<Event | undefined> {
    const { log, publishedWithinMs } = this.#play;
    return log.find(isEventOf(type, id), isOptional ? 0 : publishedWithinMs);
  }

  async #deliver(event: Event, manner: Manner): Promise<undefined> {
    const { book, courier } = this.#play;
    const required = this.#requiredOf(event, manner);
    const difference = await courier.send(event, required);
    if (difference !== null) {
      const { status } = difference;
      const finding: Finding = { at: 'response', must: required.must, status, type: event.type };
      const kind = `response to ${describeExamStep(this.#step)}`;
      throw new ShopFailure(kind, { ...difference, finding });
    }
    const { counts } = required;
    const isCertain = counts === 'if accepted' ? courier.hasAccepted(event.id) : counts === true;
    if (isCertain || counts === 'maybe') {
      book.note(event, isCertain);
    }
  }

  #requiredOf(event: Event, manner: Manner): Manner {
    const { book } = this.#play;
    const object = event.data.object as EventObject;
    if (manner.counts !== false && !isPing(event) && book.orderOf(object) === undefined) {
      // A shop may refuse the payment of somebody else, and any payment where it has no orders.
      return { ...manner, must: 'survive' };
    }
    // It may refuse a refund of a payment that it does not know yet.
    const isEarly = isRefund(event) && manner.counts === true && !book.knowsPaymentOf(object);
    return isEarly ? { ...manner, must: 'any', counts: 'if accepted' } : manner;
  }

  async #probe(paymentId: string): Promise<undefined> {
    const { shop, book } = this.#play;
    const order = book.orderOf({ id: paymentId });
    if (shop.probe !== null && order !== undefined) {
      await expectTruth(this.#play, [order], shop.probe);
    }
  }

  /** An order that nobody has made. */
  async #ghost(paymentId: string): Promise<undefined> {
    const { shop } = this.#play;
    const { reference } = await this.#play.world.client.getPayment(paymentId);
    const said = shop.probe === null ? null : await askProbe(shop.probe, String(reference));
    if (said !== null && isSold(said)) {
      throw new ShopFailure('ghost', {
        finding: { at: 'probe', field: 'order', isTooMuch: true },
        expected: 'no order for a payment that is not of this shop',
        actual: `the probe says paid ${said.paid}, fulfilled ${said.fulfilled}`,
      });
    }
  }

  async #expire(paymentId: string): Promise<undefined> {
    const { client } = this.#play.world;
    const { expires_at } = await client.getPayment(paymentId);
    const { now } = await client.getClock();
    const seconds = Math.ceil((Date.parse(expires_at) - Date.parse(now)) / SECOND_MS) + 1;
    // Another payment may have moved the clock as far.
    if (seconds > 0) {
      await client.advanceClock({ seconds });
    }
  }

  async #burst(count: number): Promise<undefined> {
    const { world, book, shop } = this.#play;
    const { client } = world;
    const numbers = Array.from({ length: count }, (_, index) => index);
    const ids = await mapLimit(BURST_AT_ONCE, numbers, async () => {
      const { id } = await this.#order();
      await client.simulatePayment(String(id), { outcome: 'pending' });
      await client.simulatePayment(String(id), { outcome: 'succeeded' });
      return String(id);
    });
    await this.#play.world.runDue();
    const found = await Promise.all(
      ids.flatMap((id) => BURST_TYPES.map(([type, isOptional]) => this.#published(type, id, isOptional))),
    );
    const events = found.filter((event) => event !== undefined);
    await Promise.all(events.map((event) => this.#deliver(event, mannerOf(undefined))));
    if (shop.probe !== null) {
      const orders = ids.map((id) => book.orderOf({ id })).filter((order) => order !== undefined);
      await expectTruth(this.#play, orders, shop.probe);
    }
  }
}

/** New each time, so that the shop never knows an order before. */
function newReference(): string {
  return `exam-${randomUUID()}`;
}

function isSold({ paid, fulfilled }: ProbeResult): boolean {
  return paid || fulfilled > 0;
}

function isOnThisMachine(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

function isEventOf(type: string, id: string) {
  return (event: Event): boolean => event.type === type && (event.data.object as EventObject).id === id;
}

function isPing({ type }: { readonly type: string }): boolean {
  return type === PING;
}

function isRefund({ type }: { readonly type: string }): boolean {
  return type.startsWith('refund.');
}

/** As an endpoint gets it: a ping is not in the list of events, and has no number. */
function pingEvent(): Event {
  const now = Date.now();
  const noRequest = { id: null, idempotency_key: null };
  return JSON.parse(
    pingBody({ mode: 'test' }, newId('evt', now), newId('whe', now), now, noRequest),
  ) as Event;
}
