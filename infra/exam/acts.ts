import type { ScenarioExam, ScenarioStep } from '../../shared/contract/testkit/scenarios.ts';
import type { EventType } from '../../shared/domain/resource.ts';
import type { MannerName } from './manners.ts';

/** Sends the newest event of a type of a resource. One that is optional may not exist. */
export interface SendAct {
  readonly send: EventType;
  readonly of: string;
  readonly manner?: MannerName;
  readonly optional?: true;
}

/** What a question does at the shop, beside the steps that scenario files have. */
export type ExamAct =
  /** Opens an order at the shop, with a payment. */
  | { readonly order: string; readonly minor?: number; readonly early?: true }
  /** Opens the order of a payment once more, at a shop that then creates its next payment. */
  | { readonly again: string }
  /** Creates a payment that belongs to no order of the shop. */
  | { readonly stranger: string }
  /** Moves the clock to the expiry of a payment. */
  | { readonly expire: string }
  | SendAct
  /** Sends a ping, which belongs to no resource. */
  | { readonly ping: true; readonly manner?: MannerName }
  /** Opens and pays orders, and sends their events all at once. */
  | { readonly burst: number }
  /** Asks the probe for an order, and compares it with the events that were sent. */
  | { readonly probe: string }
  /** Asks the probe for an order that the shop does not have. */
  | { readonly ghost: string };

/** Steps of questions, shorter to write. `$a` is the payment of the order a. */
export const order = (name: string, minor?: number): ScenarioExam => ({
  exam: { order: name, ...(minor !== undefined && { minor }) },
  as: name,
});
/** @param first a payment of the order; the next one is named `as` */
export const orderAgain = (as: string, first: string): ScenarioExam => ({
  exam: { again: first } satisfies ExamAct,
  as,
});
export const stranger = (name: string): ScenarioExam => ({
  exam: { stranger: name } satisfies ExamAct,
  as: name,
});
export const send = (type: EventType, of: string, manner?: MannerName): ScenarioExam => ({
  exam: { send: type, of, ...(manner && { manner }) } satisfies SendAct,
});
export const sendIfAny = (type: EventType, of: string): ScenarioExam => ({
  exam: { send: type, of, optional: true } satisfies SendAct,
});
export const ping = (manner?: MannerName): ScenarioExam => ({
  exam: { ping: true, ...(manner && { manner }) } satisfies ExamAct,
});
export const probe = (payment: string): ScenarioExam => ({ exam: { probe: payment } satisfies ExamAct });
export const ghost = (payment: string): ScenarioExam => ({ exam: { ghost: payment } satisfies ExamAct });
export const expire = (payment: string): ScenarioExam => ({ exam: { expire: payment } satisfies ExamAct });
export const burst = (orders: number): ScenarioExam => ({ exam: { burst: orders } satisfies ExamAct });
export const simulate = (payment: string, outcome: string): ScenarioStep => ({
  simulate: { payment, outcome },
});
export const pay = (payment: string): ScenarioStep => simulate(payment, 'succeeded');
export const cancel = (payment: string): ScenarioStep => ({ call: 'payments.cancel', id: payment });

/** A refund of a payment that the provider has answered. @param minor the whole amount, if it is left out */
export const refund = (
  as: string,
  payment: string,
  minor?: number,
  outcome = 'succeeded',
): readonly ScenarioStep[] => [
  {
    call: 'refunds.create',
    id: payment,
    with: minor === undefined ? {} : { amount: { currency: 'THB', minor } },
    as,
  },
  { simulate: { refund: `$${as}`, outcome } },
];

/** Another payment of an order, which the exam creates. */
export const secondPayment = (as: string, first: string): ScenarioStep => ({
  call: 'payments.create',
  with: { amount: `\${${first}.amount}`, reference: `\${${first}.reference}`, method: 'promptpay' },
  as,
});
