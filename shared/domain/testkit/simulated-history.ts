import { addBalances, type BalanceShard, type DayBalance, toDayBalance } from '../balance.ts';
import { subjectOf } from '../job.ts';
import { minorIn } from '../money.ts';
import { whenPaymentIsDue } from '../payment.ts';
import { whenRefundIsDue } from '../refund.ts';
import { type EntityOf, perResource, type ResourceName } from '../resource.ts';
import { afterOf, type Consequence, type ResourceChange, type ResourceJob } from '../resource-change.ts';

type OwnChange =
  | { readonly [Name in ResourceName]: ResourceChange<Name, string, EntityOf<Name>> }[ResourceName]
  | Consequence;

type EntityTable = { readonly [Name in ResourceName]: Map<string, EntityOf<Name>> };

/** All resources of each kind. */
export type Made = { readonly [Name in ResourceName]: readonly EntityOf<Name>[] };

/** A world in memory: applies changes and runs due jobs like the store does, but publishes no events. */
export class SimulatedHistory {
  readonly #entities: EntityTable = perResource(() => new Map()) as EntityTable;
  readonly #balances = new Map<string, DayBalance>();
  #jobs: ResourceJob[] = [];

  fold(changes: readonly OwnChange[]): void {
    for (const change of changes) {
      if ('resource' in change) {
        this.#keep(change.resource, afterOf<EntityOf<ResourceName>>(change));
        this.fold(change.consequences);
      } else {
        this.#follow(change);
      }
    }
  }

  /** Runs the jobs that are due by an instant, in due order. */
  runUntil(atMs: number): void {
    for (;;) {
      const due = this.#jobs.filter(({ dueAtMs }) => dueAtMs <= atMs);
      const [next] = due.toSorted((a, b) => a.dueAtMs - b.dueAtMs);
      if (next === undefined) {
        return;
      }
      this.#jobs = this.#jobs.filter((job) => job !== next);
      this.fold(this.#run(next));
    }
  }

  /** @throws Error where none with this id was made */
  entity<Name extends ResourceName>(name: Name, id: string): EntityOf<Name> {
    const entity = this.#entities[name].get(id);
    if (entity === undefined) {
      throw new Error(`there is no ${name} with this id`);
    }
    return entity;
  }

  /** All resources, in the order in which they were made. */
  get made(): Made {
    return perResource((name) => [...this.#entities[name].values()]) as Made;
  }

  /** The balances, one for each day, settled ones too: a test world has one shard for each. */
  get balances(): BalanceShard[] {
    return [...this.#balances.values()].map((balance) => ({ ...balance, shard: 0 }));
  }

  /** The jobs that are still to come. */
  get jobs(): readonly ResourceJob[] {
    return this.#jobs;
  }

  #keep<Name extends ResourceName>(name: Name, entity: EntityOf<Name>): void {
    this.#entities[name].set(entity.id, entity);
  }

  #run(job: ResourceJob): readonly OwnChange[] {
    switch (job.kind) {
      case 'expire-payment':
        return whenPaymentIsDue(this.entity('payment', job.paymentId), job.dueAtMs);
      case 'approve-refund':
      case 'send-refund':
        return whenRefundIsDue(this.entity('refund', job.refundId), job);
      // Jobs of live providers, which a simulated history does not use.
      case 'look-up-payment':
      case 'look-up-refund':
      case 'stop-attempt':
        return [];
    }
  }

  #follow(change: Consequence): void {
    switch (change.kind) {
      case 'hold':
      case 'release':
      case 'paid-back':
        this.#moveMoney(change);
        break;
      case 'balance':
        this.#add(toDayBalance(change));
        break;
      case 'settle-day': {
        const { day } = change.balance;
        const left = { day, paidMinor: change.restMinor, refundedMinor: 0n };
        this.#balances.set(day, { ...this.#balances.get(day), ...left });
        break;
      }
      case 'link-use': {
        const link = this.entity('paymentLink', change.linkId);
        const [uses, takenUses] = [link.uses + change.uses, link.takenUses + change.taken];
        const heldBy = change.newPaymentId ?? link.heldBy;
        this.#keep('paymentLink', { ...link, uses, takenUses, heldBy, version: link.version + 1 });
        break;
      }
      case 'job':
        this.#jobs.push(change.job);
        break;
      case 'superseded-job':
        this.#jobs = this.#jobs.filter((job) => !isSame(job, change.job));
    }
  }

  #moveMoney({ kind, paymentId, amount }: Extract<Consequence, { readonly paymentId: string }>): void {
    const payment = this.entity('payment', paymentId);
    const minor = minorIn(payment.amount.currency, amount);
    const { refundableMinor, refundedMinor } = payment;
    const moved = {
      hold: { refundableMinor: refundableMinor - minor },
      release: { refundableMinor: refundableMinor + minor },
      'paid-back': { refundedMinor: refundedMinor + minor },
    };
    this.#keep('payment', { ...payment, ...moved[kind], version: payment.version + 1 });
  }

  #add(balance: DayBalance): void {
    const before = this.#balances.get(balance.day);
    this.#balances.set(balance.day, before === undefined ? balance : addBalances(before, balance));
  }
}

function isSame(one: ResourceJob, other: ResourceJob): boolean {
  return one.kind === other.kind && one.dueAtMs === other.dueAtMs && subjectOf(one) === subjectOf(other);
}
