import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { VIEW } from '../../../shared/contract/views.ts';
import type { ReportedName } from '../../../shared/domain/resource.ts';
import type { World } from '../../../shared/domain/world.ts';
import { aWorld } from '../../support/world/entities.ts';

/**
 * Each resource as the first version stored it. No change of the code changes this file: only a new resource is added,
 * as its first version stores it.
 */
const FIRST_FORMS = JSON.parse(readFileSync(new URL('first-forms.json', import.meta.url), 'utf8')) as Record<
  ReportedName,
  object
>;

const RETRIEVED = {
  payment: operations.getPayment,
  refund: operations.getRefund,
  paymentLink: operations.getPaymentLink,
  payout: operations.getPayout,
  settlement: operations.getSettlement,
  webhookEndpoint: operations.getWebhookEndpoint,
} as const satisfies Record<ReportedName, object>;

describe.each(Object.entries(RETRIEVED))('a %s that the first version stored', (name, { success }) => {
  it('is shown as the contract has it today: what it lacks is null, or has its default', () => {
    const show = VIEW[name as ReportedName] as (world: World, entity: object) => unknown;
    const view = show(aWorld(), FIRST_FORMS[name as ReportedName]);
    expect(v.parse(success.schema, view)).toEqual(view);
  });
});
