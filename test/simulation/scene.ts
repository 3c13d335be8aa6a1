import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import type { Call, Command, Known } from '../faults/model/commands.ts';
import type { Client } from '../support/world/api.ts';
import type { Sent } from '../support/world/send.ts';
import type { Watch } from './laws/watch.ts';
import type { Step } from './plan.ts';
import type { Shops } from './shops.ts';
import type { Answer, MerchantKeys, SimulatedClient } from './simulated-client.ts';
import type { SimulatedRequest } from './simulated-service.ts';
import type { SimulatedTime } from './simulated-time.ts';

export interface KnownEndpoint {
  readonly id: string;
  readonly url: string;
}

/** What a client knows by its answers, oldest first. */
export class KnownResources implements Known {
  readonly payments: { id: string; pageUrl: string | null }[] = [];
  readonly refunds: { id: string }[] = [];
  readonly links: { id: string; url: string }[] = [];
  readonly payouts: { id: string }[] = [];
  readonly sinks: { id: string }[] = [];
  readonly endpoints: KnownEndpoint[] = [];
  /** Requests that had their effect. */
  readonly sent: SimulatedRequest[] = [];
  /** Copies of the world. */
  readonly copies: Client[] = [];

  learn({ kind }: Pick<Command, 'kind'>, { status, json }: Answer): void {
    const { id, url, payout_id: payoutId } = json as { id: string; url: string; payout_id?: string | null };
    if (status >= 300) {
      return;
    }
    if (kind === 'createPayment') {
      this.payments.push({ id, pageUrl: (json.checkout_url ?? null) as string | null });
    } else if (kind === 'requestRefund') {
      this.refunds.push({ id });
    } else if (kind === 'createLink') {
      this.links.push({ id, url });
    } else if (kind === 'settle' && typeof payoutId === 'string') {
      this.payouts.push({ id: payoutId });
    }
  }
}

type SceneParts = Pick<Scene, 'merchant' | 'client' | 'known' | 'time' | 'watch' | 'shops' | 'faults'>;

/** One client in the middle of its life: what it is about to do, and what it knows. */
export class Scene {
  readonly merchant: string;
  readonly client: SimulatedClient;
  /** What the clients of a merchant know, they tell each other. */
  readonly known: KnownResources;
  readonly time: SimulatedTime;
  readonly watch: Watch;
  readonly shops: Shops;
  /** What it does now. */
  step: Step | null = null;

  constructor({ merchant, client, known, time, watch, shops, faults }: SceneParts) {
    this.faults = faults;
    this.known = known;
    this.merchant = merchant;
    this.client = client;
    this.time = time;
    this.watch = watch;
    this.shops = shops;
  }

  /** How often something went wrong so far. */
  readonly faults: () => number;

  get keys(): MerchantKeys {
    return this.client.keys;
  }

  #now(): Step {
    if (this.step === null) {
      throw new Error('the client does nothing now');
    }
    return this.step;
  }

  /** Deletes everything of the merchant's world, and begins anew with a sink. */
  async purge(part: string): Promise<void> {
    await this.empty(part);
    await this.openSink(`${part} sink`);
  }

  async openSink(part: string): Promise<void> {
    await this.client.openSink(this.keyOf(part), this.watch.posts);
  }

  /** Deletes everything of the merchant's world. */
  async empty(part: string): Promise<void> {
    const { answers } = this.watch;
    answers.beginPurge(this.merchant);
    await this.call(operations.purgeTestData, { body: {} }, part);
    answers.endPurge(this.merchant);
    this.watch.endEpochs(worldIdOf(this.merchant, 'test'), this.time.nowMs);
  }

  /** The merchant's clock, as the last answer named it, in epoch milliseconds. */
  get clockMs(): number {
    const clockMs = this.watch.answers.clockOf(this.merchant);
    return Number.isFinite(clockMs) ? clockMs : this.time.nowMs;
  }

  get stepNumber(): number {
    return this.#now().number;
  }

  /** Some time, each as likely. */
  pauseMs(longestMs: number): number {
    return this.client.random.below(longestMs);
  }

  /** A key that this step alone uses. */
  keyOf(part: string): string {
    return `${this.#now().idempotencyKey} ${part}`;
  }

  /** Calls a row, and sends copies of the request as the step says. */
  async call(row: Operation, sent: Sent, part = ''): Promise<Answer> {
    return this.send(
      this.client.requestOf(row, sent, part === '' ? this.#now().idempotencyKey : this.keyOf(part)),
    );
  }

  /** Moves the merchant's clock. */
  pass(seconds: number, part: string): Promise<Answer> {
    return this.call(operations.advanceClock, { body: { seconds } }, part);
  }

  async callCommand(call: Call): Promise<Answer> {
    if ('form' in call) {
      return this.send(this.client.formOf(call.form, { attempt: this.#now().idempotencyKey }));
    }
    const { row, id, body } = call;
    return this.call(row, { body, ...(id !== undefined && { params: { id } }) });
  }

  /**
   * Sends a request until it is answered; a copy leaves meanwhile, and one afterwards, where the step says so: that one
   * has its fields in another order, since a body has none.
   */
  async send(request: SimulatedRequest): Promise<Answer> {
    const { copyMs, againMs } = this.#now();
    const copy = async () => {
      if (copyMs !== null) {
        await this.time.pause(copyMs);
        await this.client.sendUntilAnswered(request);
      }
    };
    const [answer] = await Promise.all([this.client.sendUntilAnswered(request), copy()]);
    if (answer.status < 300 && request.headers?.['Idempotency-Key'] !== undefined) {
      this.known.sent.push(request);
    }
    if (againMs !== null) {
      await this.time.pause(againMs);
      await this.repeat(inAnotherOrder(request));
    }
    return answer;
  }

  /** Sends a request once more, which has had its effect, or has not. */
  async repeat(request: SimulatedRequest): Promise<void> {
    const { answers } = this.watch;
    const expectation = answers.expectationOf(this.merchant, request);
    const answer = await this.client.sendUntilAnswered(request);
    if (expectation !== null) {
      answers.judgeRepeated(expectation, answer);
    }
  }
}

/** The same request with its fields the last one first, at every depth. */
function inAnotherOrder(request: SimulatedRequest): SimulatedRequest {
  const { body } = request;
  return body?.startsWith('{') ? { ...request, body: JSON.stringify(reversed(JSON.parse(body))) } : request;
}

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  const fields = Object.entries(value).map(([name, inner]) => [name, reversed(inner)]);
  return Object.fromEntries(fields.toReversed());
}
