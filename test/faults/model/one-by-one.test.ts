import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { netOf } from '../../../shared/domain/balance.ts';
import type { World } from '../../../shared/domain/world.ts';
import { type Client, newMerchant } from '../../support/world/api.ts';
import { worldOf } from '../../support/world/resources.ts';
import { type Answer, anyCommand, type Call, type Command, callOf, MINOR_MAX, send } from './commands.ts';
import { expectAgreement, Model, predict, verdictOf } from './model.ts';
import { propertyRuns, withinLimit } from './property-runs.ts';

const { readBalances } = await import('../../../shared/store/money/balance.ts');

const RUNS = 7;
const COMMANDS_MAX = 40;
const LIMIT_MS = 25_000;
/** What is due so soon could happen during a call: the clock is moved past it first. */
const SOON_MS = 10_000;
const LAST_DAY = '9999-12-31';

interface Service {
  readonly api: Client;
  readonly world: World;
  readonly sent: { readonly call: Call; readonly key: string; readonly answer: Answer }[];
  readonly counts: { commands: number; repeated: number };
}

type Step = fc.AsyncCommand<Model, Service>;

/** A command with the response that the model predicts, after which everything shown is as the model has it. */
class Commanded implements Step {
  readonly command: Command;

  constructor(command: Command) {
    this.command = command;
  }

  check(model: Readonly<Model>): boolean {
    return callOf(this.command, model) !== null;
  }

  async run(model: Model, service: Service): Promise<void> {
    while (model.nextJobAtMs < model.nowMs + SOON_MS) {
      await this.#do({ kind: 'advance', args: { seconds: 11 } }, model, service);
    }
    await this.#do(this.command, model, service);
    await expectAgreement(model, service.api);
    await expectUnsettled(model, service.world);
  }

  async #do(command: Command, model: Model, { api, sent, counts }: Service): Promise<void> {
    const call = callOf(command, model);
    if (call === null) {
      throw new Error('a command is about something');
    }
    const key = randomUUID();
    const answer = await send(api, call, key);
    model.noteClock(answer);
    expect(verdictOf(answer)).toBe(predict(model, command, answer));
    counts.commands += 1;
    if (answer.status < 400) {
      sent.push({ call, key, answer });
    }
  }

  toString(): string {
    return `${this.command.kind} ${JSON.stringify(this.command.args)}`;
  }
}

/**
 * The unsettled money is what was paid, less what was refunded, is pending or is paid out: all of these are as the model
 * has them, so that no money is nowhere.
 */
async function expectUnsettled(model: Model, world: World): Promise<void> {
  expect(netOf(await readBalances(world, LAST_DAY))).toBe(BigInt(model.unsettledMinor));
}

/** The refundable rest is reported only to a request for more. */
async function expectRefundable(model: Model, api: Client): Promise<void> {
  for (const payment of model.payments.filter(({ status }) => status === 'succeeded')) {
    const left = model.leftOf(payment);
    const body = { amount: { currency: 'THB', minor: left + 1 } };
    if (left < MINOR_MAX) {
      const { problem } = await api(operations.requestRefund, { params: { id: payment.id }, body });
      expect(problem.details).toEqual({ refundable_minor: left });
    }
  }
}

/** An earlier call, with its key: the same bytes again, and no effect. */
class Repeated implements Step {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, { api, sent, counts }: Service): Promise<void> {
    const before = sent[this.index % Math.max(sent.length, 1)];
    if (before !== undefined) {
      const { status, text } = await send(api, before.call, before.key);
      expect({ status, text }).toEqual({ status: before.answer.status, text: before.answer.text });
      counts.repeated += 1;
      await expectAgreement(model, api);
    }
  }

  toString(): string {
    return `repeat ${this.index}`;
  }
}

/** So that there is something to go on with. */
const START: readonly Step[] = (
  [
    { kind: 'createPayment', args: { minor: 1_000, method: 'promptpay' } },
    {
      kind: 'simulatePayment',
      args: { index: 0, outcome: 'succeeded', event_id: undefined, delay_seconds: undefined },
    },
    { kind: 'requestRefund', args: { index: 0, minor: 600, reason_code: undefined } },
    { kind: 'settle', args: { stated: undefined, provider: 'second' } },
    { kind: 'simulatePayout', args: { index: 0, outcome: 'failed' } },
    { kind: 'createLink', args: { max_uses: 2 } },
    { kind: 'createPayment', args: { minor: 1_000, method: 'promptpay' } },
  ] satisfies Command[]
).map((command) => new Commanded(command));

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: anyCommand.map((command) => new Commanded(command)) },
  { weight: 1, arbitrary: fc.nat(COMMANDS_MAX).map((index) => new Repeated(index)) },
);

describe('sequential calls of one merchant', () => {
  test('get the responses and views that a small model predicts, for any calls in any order', async ({
    task,
  }) => {
    const counts = { commands: 0, repeated: 0 };
    const run = withinLimit(LIMIT_MS, async (commands: Iterable<Step>) => {
      const { api, merchant } = await newMerchant();
      const world = await worldOf(merchant);
      const { json: sink } = await api(operations.createWebhookSink);
      const model = new Model(sink.id);
      await fc.asyncModelRun(
        async () => ({ model, real: { api, world, sent: [], counts } }),
        [...START, ...commands],
      );
      await expectRefundable(model, api);
    });
    // Without a bias towards short sequences: most bugs need many commands.
    const sequences = fc.noBias(fc.commands([steps], { maxCommands: COMMANDS_MAX, size: 'max' }));
    await fc.assert(fc.asyncProperty(sequences, run), propertyRuns(RUNS));
    expect(counts.commands).toBeGreaterThan(RUNS);
    task.meta.figures = {
      'random calls one by one, each answered and shown as the model says': counts.commands,
      'of them sent again later, replayed to the byte without another effect': counts.repeated,
    };
  });
});
