import { expect, test } from 'vitest';
import { missingOf, operationIdsOf } from './document-operations.ts';

const document = JSON.stringify({
  paths: {
    '/payments': {
      parameters: [],
      get: { operationId: 'payments_ListPayments' },
      post: { operationId: 'payments_CreatePayment' },
    },
  },
});

test('a client that spells operations as its language does has them all', () => {
  const ids = operationIdsOf(document);
  expect(missingOf(ids, ['payments_list_payments', 'PaymentsCreatePayment'])).toEqual([]);
});

test('an operation that a generator has left out is missed', () => {
  expect(missingOf(operationIdsOf(document), ['paymentsListPayments'])).toEqual(['payments_CreatePayment']);
});
