import * as v from 'valibot';
import { bangkokDay } from '../../domain/balance.ts';
import { DELAY_SECONDS_MAX, PAYMENT_OUTCOMES } from '../../domain/payment.ts';
import { PAYOUT_OUTCOMES } from '../../domain/payout.ts';
import { outcomeOf, type ProviderEvent, type ProviderEventState } from '../../domain/provider-event.ts';
import { REFUND_OUTCOMES } from '../../domain/refund.ts';
import { PROVIDER_MAX_CHARS, SETTLED_MAX_MINOR } from '../../domain/settlement.ts';
import type { FieldError } from '../../errors/field-error.ts';
import {
  calendarDate,
  component,
  idResponse,
  integer,
  line,
  money,
  moneyUpTo,
  readDay,
  text,
} from '../fields.ts';
import { type Operation, WRITE } from '../operation.ts';

const EVENT_ID = /^[\x20-\x7e]{1,128}$/;
/** Names of results. */
const NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** The response of every simulate operation; ids that do not apply are null. */
const simulationResponse = v.object({
  action_id: idResponse('act'),
  outcome: v.string(),
  payment_id: v.nullable(idResponse('pay')),
  payout_id: v.nullable(idResponse('pot')),
  refund_id: v.nullable(idResponse('ref')),
  provider_event_id: v.string(),
  replayed: v.boolean(),
});
type SimulationView = v.InferInput<typeof simulationResponse>;

const eventFields = {
  delay_seconds: v.optional(integer(0, DELAY_SECONDS_MAX)),
  event_id: v.optional(v.pipe(v.string(), v.regex(EVENT_ID))),
  result_code: v.optional(v.pipe(v.string(), v.regex(NAME))),
};

const SIMULATE = {
  ...WRITE,
  permission: 'simulate',
  mode: 'test',
  success: { status: 200, name: 'SimulationResult', schema: simulationResponse },
} as const;

/** A day can be settled once it has begun on the merchant's clock. */
function checkValueDate({ value_date }: Readonly<Record<string, unknown>>, nowMs: number): FieldError[] {
  const day = readDay(value_date);
  return day !== null && day > bangkokDay(nowMs)
    ? [
        {
          code: 'max',
          field: 'value_date',
          message: `must not be after ${bangkokDay(nowMs)}, the day of the merchant's clock`,
        },
      ]
    : [];
}

export const simulationOperations = {
  simulatePayment: {
    ...SIMULATE,
    id: 'testkit.SimulatePayment',
    path: '/api/v1/test/payments/{id}/simulate',
    reads: ['payment', 'paymentLink', 'provider-event'],
    changes: ['payment.end'],
    body: v.strictObject({
      outcome: v.picklist(PAYMENT_OUTCOMES),
      amount: v.optional(money),
      payment_id: v.optional(v.string()),
      ...eventFields,
    }),
    bodyId: 'payment_id',
    errors: ['payment_not_found', 'invalid_state', 'event_conflict', 'amount_mismatch'],
    example: { outcome: 'succeeded' },
  },
  simulateRefund: {
    ...SIMULATE,
    id: 'testkit.SimulateRefund',
    path: '/api/v1/test/refunds/{id}/simulate',
    reads: ['refund', 'provider-event'],
    changes: ['refund.end'],
    body: v.strictObject({
      outcome: v.picklist(REFUND_OUTCOMES),
      refund_id: v.optional(v.string()),
      ...eventFields,
    }),
    bodyId: 'refund_id',
    errors: ['refund_not_found', 'invalid_state', 'event_conflict'],
    example: { outcome: 'succeeded' },
  },
  simulatePayout: {
    ...SIMULATE,
    id: 'testkit.SimulatePayout',
    path: '/api/v1/test/payouts/{id}/simulate',
    reads: ['payout'],
    changes: ['payout', 'balance'],
    body: v.pipe(
      v.strictObject({
        outcome: v.picklist(PAYOUT_OUTCOMES),
        payout_id: v.optional(v.string()),
        return_reason: v.optional(text(1, 255)),
      }),
      // Only a returned payout has a reason (contract §8).
      v.forward(
        v.partialCheck(
          [['outcome'], ['return_reason']],
          ({ outcome, return_reason }) => outcome === 'returned' || return_reason === undefined,
          'conflict: is only allowed with the outcome returned',
        ),
        ['return_reason'],
      ),
      v.metadata({
        dependentSchemas: {
          return_reason: {
            properties: {
              outcome: {
                type: 'string',
                enum: ['returned'],
                description: 'The only valid outcome.',
              },
            },
          },
        },
      }),
    ),
    bodyId: 'payout_id',
    errors: ['payout_not_found', 'invalid_state'],
    example: { outcome: 'paid' },
  },
  simulateSettlement: {
    ...SIMULATE,
    id: 'testkit.SimulateSettlement',
    path: '/api/v1/test/settlements/simulate',
    reads: ['settlement-day', 'balances'],
    changes: ['settlement.create', 'payout', 'payout-number'],
    body: v.strictObject({
      amount: v.optional(component('StatedAmount', moneyUpTo(SETTLED_MAX_MINOR))),
      provider: v.optional(line(1, PROVIDER_MAX_CHARS)),
      value_date: v.optional(calendarDate),
    }),
    checkBody: checkValueDate,
    errors: ['settlement_exists'],
    example: {},
  },
} as const satisfies Record<string, Operation>;

/** The result of a simulation; ids that do not apply are null. */
export function viewSimulation(
  done: Pick<SimulationView, 'action_id' | 'outcome' | 'provider_event_id'> & Partial<SimulationView>,
): SimulationView {
  return {
    action_id: done.action_id,
    outcome: done.outcome,
    payment_id: done.payment_id ?? null,
    payout_id: done.payout_id ?? null,
    refund_id: done.refund_id ?? null,
    provider_event_id: done.provider_event_id,
    replayed: done.replayed ?? false,
  };
}

/** The response to a simulation: the provider event, what became of it, and what it is about. */
export function viewProviderEvent(
  {
    event,
    state,
    isRepeated: replayed,
  }: { readonly event: ProviderEvent; readonly state: ProviderEventState; readonly isRepeated: boolean },
  ids: { readonly payment_id: string; readonly refund_id?: string },
): SimulationView {
  const { actionId, eventId } = event;
  const outcome = outcomeOf(event, state);
  return viewSimulation({ action_id: actionId, provider_event_id: eventId, outcome, replayed, ...ids });
}
