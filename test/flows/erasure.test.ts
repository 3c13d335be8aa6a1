import { expect, test } from 'vitest';
import type { Delivery } from '../../shared/domain/delivery.ts';
import { eraseFromDelivery } from '../../shared/flows/erasure.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('the state of a trace is erased from an attempt, and its trace stays', () => {
  const requestHeaders = { 'webhook-id': 'evt_1', traceparent: TRACEPARENT, tracestate: 'shop=somchai' };
  const attempt = { id: 'dlv_1', resourceId: 'pay_1', requestHeaders } as unknown as Delivery;
  const erased = eraseFromDelivery(attempt, 'pay_1');
  expect(erased).toEqual({
    ...attempt,
    requestHeaders: { 'webhook-id': 'evt_1', traceparent: TRACEPARENT },
  });
  expect(eraseFromDelivery(attempt, 'pay_2')).toBeNull();
  expect(erased && eraseFromDelivery(erased, 'pay_1')).toBeNull();
});
