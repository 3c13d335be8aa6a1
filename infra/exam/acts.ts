import type { EventType } from '../../shared/domain/resource.ts';
import { referencesIn } from '../scenario/references.ts';
import type { CallingStep } from '../scenario/step-calls.ts';
import { describeStep, fieldsText } from '../scenario/story.ts';
import type { MannerName } from './manners.ts';

/** Sends the newest event of a type of a resource. One that is optional may not exist. */
export interface SendAct {
  readonly send: EventType;
  readonly of: string;
  readonly manner?: MannerName;
  readonly optional?: true;
  /** It is sent only where no attempt was accepted before. */
  readonly unlessAccepted?: true;
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
  /** Sends the success of a payment that is not paid. */
  | { readonly forge: string; readonly manner: MannerName }
  /** Sends events that are signed right until one is accepted: a ping, and the creation of a payment. */
  | { readonly signed: string }
  /** Sends a ping, which belongs to no resource. */
  | { readonly ping: true; readonly manner?: MannerName }
  /** Opens and pays orders, and sends their events all at once. */
  | { readonly burst: number }
  /** Asks the probe for an order, and compares it with the events that were sent. */
  | { readonly probe: string }
  /** Asks the probe for an order that the shop does not have. */
  | { readonly ghost: string };

/** A step at the shop, and what its payment is called. */
export interface ActStep {
  readonly act: ExamAct;
  readonly as?: string;
}

/** A step of a question. */
export type ExamStep = ActStep | CallingStep;

/** A step in a few words: `send payment.succeeded, of $a`. */
export function describeExamStep(step: ExamStep): string {
  if ('act' in step) {
    return named(fieldsText({ ...step.act }), step.as);
  }
  if ('call' in step && step.with !== undefined && Object.keys(step.with).length > 0) {
    const { as, ...call } = step;
    return named(`${describeStep(call)}, ${fieldsText(step.with)}`, as);
  }
  return describeStep(step);
}

function named(text: string, name: string | undefined): string {
  return name === undefined ? text : `${text} as ${name}`;
}

/** The names that steps use before a step has given them. */
export function unknownNames(steps: readonly ExamStep[]): string[] {
  const given = new Set<string | undefined>();
  return steps.flatMap((step) => {
    const unknown = referencesIn(step).filter(({ name }) => !given.has(name));
    given.add('as' in step ? step.as : undefined);
    return unknown.map(({ name }) => name);
  });
}

/* Steps of questions, shorter to write. `$a` is the payment of the order a. */

const at = (act: ExamAct, as?: string): ActStep => ({ act, ...(as !== undefined && { as }) });
export const order = (name: string, minor?: number) =>
  at({ order: name, ...(minor !== undefined && { minor }) }, name);
/** @param first a payment of the order; the next one is named `as` */
export const nextPayment = (as: string, first: string) => at({ again: first }, as);
export const stranger = (name: string) => at({ stranger: name }, name);
export const send = (type: EventType, of: string, manner?: MannerName) =>
  at({ send: type, of, ...(manner && { manner }) });
export const sendIfAny = (type: EventType, of: string) => at({ send: type, of, optional: true });
export const sendUnlessAccepted = (type: EventType, of: string) =>
  at({ send: type, of, unlessAccepted: true });
export const forge = (payment: string, manner: MannerName) => at({ forge: payment, manner });
export const signed = (payment: string) => at({ signed: payment });
export const ping = (manner?: MannerName) => at({ ping: true, ...(manner && { manner }) });
export const probe = (payment: string) => at({ probe: payment });
export const ghost = (payment: string) => at({ ghost: payment });
export const expire = (payment: string) => at({ expire: payment });
export const burst = (orders: number) => at({ burst: orders });
export const simulate = (payment: string, outcome: string): ExamStep => ({
  simulate: { payment, outcome },
});
export const pay = (payment: string): ExamStep => simulate(payment, 'succeeded');
export const cancel = (payment: string): ExamStep => ({ call: 'payments.cancel', id: payment });

/** A refund of a payment with an outcome of the provider. @param minor the whole amount, if it is left out */
export const refund = (
  as: string,
  payment: string,
  minor?: number,
  outcome = 'succeeded',
): readonly ExamStep[] => [
  {
    call: 'refunds.create',
    id: payment,
    with: minor === undefined ? {} : { amount: { currency: 'THB', minor } },
    as,
  },
  { simulate: { refund: `$${as}`, outcome } },
];

/** Another payment of an order, which the exam creates. */
export const secondPayment = (as: string, first: string): ExamStep => ({
  call: 'payments.create',
  with: { amount: `\${${first}.amount}`, reference: `\${${first}.reference}`, method: 'promptpay' },
  as,
});
