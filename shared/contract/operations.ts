import { eventOperations } from './events.ts';
import { keyOperations } from './keys.ts';
import type { Operation } from './operation.ts';
import { payerPageOperations } from './payer-pages.ts';
import { paymentLinkOperations } from './payment-links.ts';
import { paymentOperations } from './payments.ts';
import { payoutOperations } from './payouts.ts';
import { providerNotificationOperations } from './provider-notifications.ts';
import { refundOperations } from './refunds.ts';
import { reportOperations } from './reports.ts';
import { servicePageOperations } from './service-pages.ts';
import { settlementOperations } from './settlements.ts';
import { hasTestKit, isOfTestKit } from './test-kit.ts';
import { clockOperations } from './testkit/clock.ts';
import { purgeOperations } from './testkit/purging.ts';
import { requestLogOperations } from './testkit/request-log.ts';
import { schemaPageOperations } from './testkit/schema-pages.ts';
import { seedOperations } from './testkit/seeding.ts';
import { simulationOperations } from './testkit/simulations.ts';
import { sinkOperations } from './testkit/sinks.ts';
import { worldOperations } from './testkit/worlds.ts';
import { webhookEndpointOperations } from './webhook-endpoints.ts';

/** THE TABLE: every operation of the service, in the order in which documents show them. */
export const operations = {
  ...paymentOperations,
  ...refundOperations,
  ...paymentLinkOperations,
  ...payoutOperations,
  ...settlementOperations,
  ...reportOperations,
  ...eventOperations,
  ...webhookEndpointOperations,
  ...keyOperations,
  ...simulationOperations,
  ...sinkOperations,
  ...clockOperations,
  ...seedOperations,
  ...purgeOperations,
  ...requestLogOperations,
  ...worldOperations,
  ...payerPageOperations,
  ...providerNotificationOperations,
  ...servicePageOperations,
  ...schemaPageOperations,
} as const satisfies Record<string, Operation>;

export const allOperations: readonly Operation[] = Object.values(operations);

/** The rows without the test kit: no simulations, clock, seed, purge or sinks. */
export function withoutTestKit(rows: readonly Operation[]): readonly Operation[] {
  return rows.filter(({ id }) => !isOfTestKit(id));
}

/** The rows of this deployment. */
export function servedOperations(): readonly Operation[] {
  return hasTestKit() ? allOperations : withoutTestKit(allOperations);
}
