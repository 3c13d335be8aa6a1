import { clockOperations } from './clock.ts';
import { consolePageOperations } from './console-pages.ts';
import { eventOperations } from './events.ts';
import { hostedPageOperations } from './hosted-pages.ts';
import type { Operation } from './operation.ts';
import { paymentLinkOperations } from './payment-links.ts';
import { paymentOperations } from './payments.ts';
import { payoutOperations } from './payouts.ts';
import { purgeOperations } from './purging.ts';
import { refundOperations } from './refunds.ts';
import { seedOperations } from './seeding.ts';
import { servicePageOperations } from './service-pages.ts';
import { settlementOperations } from './settlements.ts';
import { simulationOperations } from './simulations.ts';
import { sinkOperations } from './sinks.ts';

/** THE TABLE: every operation of the service, in the order in which documents show them. */
export const operations = {
  ...paymentOperations,
  ...refundOperations,
  ...paymentLinkOperations,
  ...payoutOperations,
  ...settlementOperations,
  ...eventOperations,
  ...simulationOperations,
  ...sinkOperations,
  ...clockOperations,
  ...seedOperations,
  ...purgeOperations,
  ...hostedPageOperations,
  ...servicePageOperations,
  ...consolePageOperations,
} as const satisfies Record<string, Operation>;

export const allOperations: readonly Operation[] = Object.values(operations);
