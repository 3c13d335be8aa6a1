import type { Operation } from './operation.ts';
import { paymentLinkOperations } from './payment-links.ts';
import { paymentOperations } from './payments.ts';
import { refundOperations } from './refunds.ts';
import { servicePageOperations } from './service-pages.ts';

/** THE TABLE: every operation of the service, in the order in which documents show them. */
export const operations = {
  ...paymentOperations,
  ...refundOperations,
  ...paymentLinkOperations,
  ...servicePageOperations,
} as const satisfies Record<string, Operation>;

export const allOperations: readonly Operation[] = Object.values(operations);
