import { expect, test } from 'vitest';
import { missingOf, operationIdsOf } from './document-operations.ts';

const document = JSON.stringify({
  paths: {
    '/payments': {
      parameters: [],
      get: { operationId: 'payments.ListPayments' },
      post: { operationId: 'payments.CreatePayment' },
    },
  },
});

test('operations are found in a client that spells them as its language does', () => {
  const ids = operationIdsOf(document);
  expect(missingOf(ids, ['payments_list_payments', 'PaymentsCreatePayment'])).toEqual([]);
});

test('an operation that a generator left out is reported', () => {
  expect(missingOf(operationIdsOf(document), ['paymentsListPayments'])).toEqual(['payments.CreatePayment']);
});
