import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DifferentialEngine } from './differential-engines.ts';
import { type CallOutcome, insteadOf } from './known-differences.ts';
import { ModelStore, type StoreCall } from './model-store.ts';

type Send = (call: StoreCall) => object | Promise<object>;

/** Two answers to one call. */
export interface AnswerDifference {
  readonly engine: DifferentialEngine['name'];
  readonly modelled: string;
  readonly real: string;
}

interface MadeCall {
  readonly isRefused: boolean;
  /** Where a query goes on. */
  readonly lastKey: object | undefined;
  /** One for each engine that differs. */
  readonly differences: readonly AnswerDifference[];
}

/** A model, and engines that get the same calls in the same partitions. */
export class ModelComparison {
  readonly #engines: readonly DifferentialEngine[];
  readonly #model = new ModelStore();

  constructor(engines: readonly DifferentialEngine[]) {
    this.#engines = engines;
  }

  async make(call: StoreCall): Promise<MadeCall> {
    const modelled = await outcomeOf(this.#callModel, call);
    const compared = this.#engines.map(async (engine) => {
      const [expected, real] = (await this.#bothOf(engine, call, modelled)).map(textOf);
      return expected === real
        ? []
        : [{ engine: engine.name, modelled: String(expected), real: String(real) }];
    });
    const differences = (await Promise.all(compared)).flat();
    const { name, LastEvaluatedKey: lastKey } = modelled as { name?: string; LastEvaluatedKey?: object };
    return { isRefused: name !== undefined, lastKey, differences };
  }

  /** What the model and an engine say of a call. */
  async #bothOf(
    engine: DifferentialEngine,
    call: StoreCall,
    modelled: CallOutcome,
  ): Promise<readonly CallOutcome[]> {
    const instead = insteadOf(engine.name, call, modelled);
    if (instead === 'nothing') {
      return [];
    }
    if (instead === 'all pages') {
      return [await allPages(this.#callModel, call), await allPages(engine.call, call)];
    }
    return [instead === null ? modelled : instead(modelled), await outcomeOf(engine.call, call)];
  }

  /** What the caller and the model have is changed afterwards: the model shares nothing with anybody. */
  readonly #callModel = (call: StoreCall): object => {
    const given = structuredClone(call);
    const output = this.#model.call(given, Date.now());
    const copy = structuredClone(output);
    scribble(output);
    // Transactions are known again by what they were.
    if (call.operation !== 'TransactWriteItems') {
      scribble(given);
    }
    return copy;
  };
}

async function outcomeOf(send: Send, call: StoreCall): Promise<CallOutcome> {
  try {
    const { $metadata, ConsumedCapacity, ...output } = (await send(call)) as Record<string, unknown>;
    const { Responses: tables } = output;
    // Batches are in no order.
    const sorted = Object.entries((tables ?? {}) as Record<string, object[]>).map(
      ([table, items]) => [table, items.map(textOf).toSorted()] as const,
    );
    return { ...output, ...(tables !== undefined && { Responses: Object.fromEntries(sorted) }) };
  } catch (error) {
    const {
      name,
      message,
      CancellationReasons,
      Item: old,
    } = error as Error & {
      CancellationReasons?: { Code: string }[];
      Item?: Record<string, AttributeValue>;
    };
    return {
      name,
      // Each engine explains in its own words what is not valid.
      message: /^(ValidationException|IdempotentParameterMismatchException)$/.test(name)
        ? undefined
        : message,
      CancellationReasons: CancellationReasons?.map(({ Code }) => ({ Code })),
      Item: old && unmarshall(old),
    };
  }
}

/** All pages from a call on, as one: the sort keys in their order, and the items of each in any. */
async function allPages(send: Send, { operation, input }: StoreCall): Promise<CallOutcome> {
  const items: Record<string, unknown>[] = [];
  const sums = { Count: 0, ScannedCount: 0 };
  let next = input;
  for (;;) {
    const page = await outcomeOf(send, { operation, input: next });
    if (page.name !== undefined) {
      return page;
    }
    sums.Count += Number(page.Count);
    sums.ScannedCount += Number(page.ScannedCount);
    items.push(...((page.Items ?? []) as typeof items));
    if (page.LastEvaluatedKey === undefined) {
      const order = items.map(({ dueSk, sk }) => dueSk ?? sk);
      return { ...sums, order, items: items.map(textOf).toSorted() };
    }
    next = { ...input, ExclusiveStartKey: page.LastEvaluatedKey };
  }
}

/** The same text for the same value. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (each instanceof Set) {
      return { set: [...each].toSorted() };
    }
    if (each instanceof Uint8Array) {
      return { bytes: [...each] };
    }
    return typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : each;
  });
}

function scribble(value: unknown): void {
  if (value instanceof Set) {
    value.add('scribbled');
  } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    for (const inner of Object.values(value)) {
      scribble(inner);
    }
    Object.assign(value, Array.isArray(value) ? ['scribbled'] : { scribbled: true });
  }
}
