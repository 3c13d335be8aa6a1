import { describe, expectTypeOf, test } from 'vitest';
import { isProblem, type ProblemError } from '../../shared/client/call-error.ts';
import type { CallOptions } from '../../shared/client/call-options.ts';
import { type Client, createClient } from '../../shared/client/client.ts';
import type { List } from '../../shared/client/list.ts';
import type { AnswerOf, FieldsOf, OperationName } from '../../shared/client/method.ts';
import type { WebhookEvent } from '../../shared/client/webhooks.ts';
import type { PaymentLinkView } from '../../shared/contract/payment-links.ts';
import type { PaymentView } from '../../shared/contract/payments.ts';
import type { PayoutView } from '../../shared/contract/payouts.ts';
import type { RefundView } from '../../shared/contract/refunds.ts';
import type { SettlementView } from '../../shared/contract/settlements.ts';
import type { ClockMoveView } from '../../shared/contract/testkit/clock.ts';
import type { PurgeView } from '../../shared/contract/testkit/purging.ts';
import type { SinkView } from '../../shared/contract/testkit/sinks.ts';
import type { ErrorCode } from '../../shared/errors/catalogue.ts';

/* Checked by `tsc` (npm run check); nothing here is sent. */

type Arguments<Name extends OperationName> = Parameters<Client[Name]>;

describe('the types of the client', () => {
  test('have a method for each operation that requires a key, and for no other', () => {
    expectTypeOf<keyof Client>().toEqualTypeOf<OperationName>();
    expectTypeOf<'createPayment' | 'purgeTestData' | 'listDeliveries'>().toExtend<OperationName>();
    // @ts-expect-error the address of a sink is not an operation of the client
    expectTypeOf<Client['receiveAtSink']>();
    // @ts-expect-error nor is a page
    expectTypeOf<Client['getErrorPage']>();
  });

  test('give the response of the row', () => {
    expectTypeOf<ReturnType<Client['createPayment']>>().toEqualTypeOf<Promise<PaymentView>>();
    expectTypeOf<ReturnType<Client['requestRefund']>>().toEqualTypeOf<Promise<RefundView>>();
    expectTypeOf<ReturnType<Client['advanceClock']>>().toEqualTypeOf<Promise<ClockMoveView>>();
    expectTypeOf<ReturnType<Client['purgeTestData']>>().toEqualTypeOf<Promise<PurgeView>>();
    expectTypeOf<ReturnType<Client['listPayments']>>().toEqualTypeOf<
      List<PaymentView, AnswerOf<'listPayments'>>
    >();
    expectTypeOf<ReturnType<Client['listWebhookSinks']>>().toExtend<AsyncIterable<SinkView>>();
  });

  test('take the ids of the path, then fields, then options', () => {
    expectTypeOf<Arguments<'getPayment'>>().toEqualTypeOf<[id: string, options?: CallOptions | undefined]>();
    expectTypeOf<Arguments<'redeliver'>>().toEqualTypeOf<
      [id: string, id: string, options?: CallOptions | undefined]
    >();
    expectTypeOf<Arguments<'cancelPayment'>>().toEqualTypeOf<
      [id: string, options?: CallOptions | undefined]
    >();
    expectTypeOf<Arguments<'purgeTestData'>>().toEqualTypeOf<[options?: CallOptions | undefined]>();
    expectTypeOf<Arguments<'advanceClock'>[0]>().toEqualTypeOf<{ seconds: number }>();
    expectTypeOf<Arguments<'listDeliveries'>[1]>().toEqualTypeOf<FieldsOf<'listDeliveries'> | undefined>();
  });

  test('take a body as the row checks it, without the id that the path has', () => {
    type Body = FieldsOf<'createPayment'>;
    expectTypeOf<Body['amount']>().toEqualTypeOf<{ currency: 'THB'; minor: number }>();
    expectTypeOf<NonNullable<Body['method']>>().toEqualTypeOf<NonNullable<PaymentView['method']>>();
    expectTypeOf<keyof FieldsOf<'requestRefund'>>().toEqualTypeOf<'amount' | 'reason' | 'reason_code'>();
    expectTypeOf<keyof FieldsOf<'simulatePayment'>>().toEqualTypeOf<
      'outcome' | 'amount' | 'delay_seconds' | 'event_id' | 'result_code'
    >();
  });

  test('take a limit as a number or as text', () => {
    expectTypeOf<FieldsOf<'listPayments'>['limit']>().toEqualTypeOf<number | string | undefined>();
    expectTypeOf<NonNullable<FieldsOf<'listRefunds'>['status']>>().toEqualTypeOf<RefundView['status']>();
  });

  test('refuse what the API would refuse', () => {
    const unsent = (client: Client) => [
      // @ts-expect-error an amount is required
      () => client.createPayment({}),
      // @ts-expect-error a body is required
      () => client.createPayment(),
      // @ts-expect-error no such method of payment
      () => client.createPayment({ amount: { currency: 'THB', minor: 1 }, method: 'gold' }),
      // @ts-expect-error no such field
      () => client.createPayment({ amount: { currency: 'THB', minor: 1 }, colour: 'red' }),
      // @ts-expect-error an id is required
      () => client.getPayment(),
      // @ts-expect-error no such status
      () => client.listPayments({ status: 'lost' }),
      // @ts-expect-error no such option
      () => client.getPayment('pay_1', { retries: 2 }),
      // @ts-expect-error no such outcome of a payout
      () => client.simulatePayout('pot_1', { outcome: 'succeeded' }),
    ];
    expectTypeOf(unsent).toBeFunction();
    expectTypeOf(createClient).returns.toEqualTypeOf<Client>();
  });

  test('narrow a problem by its code, down to its status', () => {
    const narrow = (error: unknown) => {
      if (isProblem(error, 'invalid_state', 'clock_busy')) {
        expectTypeOf(error.code).toEqualTypeOf<'invalid_state' | 'clock_busy'>();
        expectTypeOf(error.status).toEqualTypeOf<409>();
      } else if (isProblem(error)) {
        expectTypeOf(error.code).toEqualTypeOf<ErrorCode>();
        expectTypeOf(error).toExtend<ProblemError>();
      }
    };
    expectTypeOf(narrow).toBeFunction();
  });

  test('narrow a problem by its code, down to what its details hold', () => {
    const narrow = (error: unknown) => {
      if (!isProblem(error)) {
        return undefined;
      }
      switch (error.code) {
        case 'invalid_state':
          return expectTypeOf(error.details.allowed_from).toEqualTypeOf<readonly string[]>();
        case 'refund_amount_exceeded':
          return expectTypeOf(error.details.refundable_minor).toEqualTypeOf<number>();
        case 'link_unavailable':
          return expectTypeOf(error.details.reason).toEqualTypeOf<
            'disabled' | 'expired' | 'exhausted' | 'reserved'
          >();
        default:
          return expectTypeOf(error.details).toExtend<Readonly<Record<string, unknown>>>();
      }
    };
    expectTypeOf(narrow).toBeFunction();
  });

  test('narrow an event by its type, down to its resource', () => {
    const narrow = (event: WebhookEvent) => {
      switch (event.type) {
        case 'payment.succeeded':
          return expectTypeOf(event.data.object).toEqualTypeOf<PaymentView>();
        case 'refund.failed':
          return expectTypeOf(event.data.object).toEqualTypeOf<RefundView>();
        case 'payment_link.created':
          return expectTypeOf(event.data.object).toEqualTypeOf<PaymentLinkView>();
        case 'payout.paid':
          return expectTypeOf(event.data.object).toEqualTypeOf<PayoutView>();
        case 'settlement.matched':
          return expectTypeOf(event.data.object).toEqualTypeOf<SettlementView>();
        case 'webhook.ping':
          return expectTypeOf(event).not.toHaveProperty('sequence');
        default:
          return undefined;
      }
    };
    expectTypeOf(narrow).toBeFunction();
    type Listed = Exclude<WebhookEvent, { type: 'webhook.ping' }>;
    expectTypeOf<AnswerOf<'getEvent'>>().toEqualTypeOf<Listed>();
    expectTypeOf<AnswerOf<'listEvents'>['data'][number]>().toEqualTypeOf<Listed>();
  });
});
