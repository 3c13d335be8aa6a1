import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import {
  AMOUNT_TYPES,
  COLLECT_RULES,
  LINK_EXPIRES_WITHIN_MS,
  LINK_STATUSES,
  MAX_USES_MAX,
  OPEN_AMOUNT_MAX_MINOR,
  type PaymentLink,
} from '../domain/payment-link.ts';
import type { World } from '../domain/world.ts';
import type { FieldError } from '../errors/field-error.ts';
import {
  checkReturnUrl,
  component,
  currency,
  description,
  idResponse,
  instant,
  int32,
  integer,
  metadata,
  metadataResponse,
  money,
  moneyResponse,
  ofOneKind,
  readInstant,
  timestamp,
  type Variants,
  webUrl,
} from './fields.ts';
import { checkQueryDays, pageOf, resourceQuery } from './list-page.ts';
import { type Operation, READ, WRITE } from './operation.ts';
import { optionalTimestamp, viewMoney } from './view-fields.ts';

const amountType = component('PaymentLinkAmountType', v.picklist(AMOUNT_TYPES));
const collectRule = component('CollectRule', v.picklist(COLLECT_RULES));
const status = v.picklist(LINK_STATUSES);

const paymentLinkResponse = v.object({
  id: idResponse('lnk'),
  number: v.string(),
  code: v.string(),
  url: v.string(),
  amount: v.nullable(moneyResponse),
  amount_type: amountType,
  min_amount: v.nullable(moneyResponse),
  max_amount: v.nullable(moneyResponse),
  currency: v.string(),
  collect_email: collectRule,
  collect_name: collectRule,
  collect_phone: collectRule,
  created_at: timestamp,
  description: v.nullable(v.string()),
  expires_at: v.nullable(timestamp),
  max_uses: v.nullable(int32),
  uses: int32,
  metadata: metadataResponse,
  mode: v.string(),
  return_url: v.nullable(v.string()),
  status,
});
export type PaymentLinkView = v.InferInput<typeof paymentLinkResponse>;

const AMOUNT_VARIANTS: Variants = {
  fixed: {
    name: 'FixedLinkAmount',
    label: 'a fixed amount',
    allowed: ['currency', 'fixed'],
    required: ['fixed'],
  },
  open: {
    name: 'OpenLinkAmount',
    label: 'an open amount',
    allowed: ['currency', 'min', 'max'],
    required: [],
  },
};

const createPaymentLinkBody = v.strictObject({
  amount: component(
    'PaymentLinkAmount',
    v.pipe(
      v.strictObject({
        type: amountType,
        currency: v.optional(currency),
        fixed: v.optional(money),
        min: v.optional(money),
        max: v.optional(money),
      }),
      ofOneKind(AMOUNT_VARIANTS),
      v.forward(
        v.partialCheck(
          [['type'], ['min'], ['max']],
          ({ type, min, max }) => type !== 'open' || !min || !max || min.minor <= max.minor,
          'conflict: must not be greater than amount.max',
        ),
        ['min'],
      ),
      v.forward(
        v.partialCheck(
          [['type'], ['min'], ['max']],
          ({ type, min, max }) =>
            type !== 'open' || !min || max !== undefined || min.minor <= OPEN_AMOUNT_MAX_MINOR,
          `max: must be at most ${OPEN_AMOUNT_MAX_MINOR} if amount.max is omitted`,
        ),
        ['min'],
      ),
      v.metadata({ variants: AMOUNT_VARIANTS }),
    ),
  ),
  collect: v.optional(
    component(
      'PaymentLinkCollect',
      v.strictObject({
        email: v.optional(collectRule),
        name: v.optional(collectRule),
        phone: v.optional(collectRule),
      }),
    ),
  ),
  description: v.optional(description),
  expires_at: v.optional(instant),
  max_uses: v.optional(integer(1, MAX_USES_MAX)),
  metadata: v.optional(metadata),
  return_url: v.optional(webUrl),
});

/** A link expires in the future, within 366 days (contract §7). */
function checkExpiry(expiresAt: unknown, nowMs: number): FieldError[] {
  const atMs = readInstant(expiresAt);
  if (atMs === null) {
    return [];
  }
  if (atMs <= nowMs) {
    return [
      {
        code: 'min',
        field: 'expires_at',
        message: `must be after ${toTimestamp(nowMs)}, the time of the merchant's clock`,
      },
    ];
  }
  const latestMs = nowMs + LINK_EXPIRES_WITHIN_MS;
  return atMs > latestMs
    ? [
        {
          code: 'max',
          field: 'expires_at',
          message: `must be at most 366 days ahead: ${toTimestamp(latestMs)}`,
        },
      ]
    : [];
}

export const paymentLinkOperations = {
  createPaymentLink: {
    ...WRITE,
    id: 'checkout.CreatePaymentLink',
    path: '/api/v1/payment-links',
    permission: 'paymentlink.create',
    changes: ['paymentLink.create'],
    body: createPaymentLinkBody,
    checkBody: (body, nowMs, mode) => [...checkExpiry(body.expires_at, nowMs), ...checkReturnUrl(body, mode)],
    success: { status: 201, name: 'PaymentLink', schema: paymentLinkResponse },
    example: {
      amount: { type: 'fixed', fixed: { currency: 'THB', minor: 35_000 } },
      collect: { email: 'required' },
      description: 'Cooking class, one seat',
      max_uses: 12,
    },
  },
  disablePaymentLink: {
    ...WRITE,
    id: 'checkout.DisablePaymentLink',
    path: '/api/v1/payment-links/{id}/disable',
    permission: 'paymentlink.manage',
    reads: ['paymentLink'],
    changes: ['paymentLink'],
    body: v.strictObject({ link_id: v.optional(v.string()) }),
    bodyId: 'link_id',
    success: { status: 200, name: 'PaymentLink', schema: paymentLinkResponse },
    errors: ['payment_link_not_found'],
    example: {},
  },
  getPaymentLink: {
    ...READ,
    id: 'checkout.GetPaymentLink',
    path: '/api/v1/payment-links/{id}',
    permission: 'paymentlink.read',
    reads: ['paymentLink'],
    success: { status: 200, name: 'PaymentLink', schema: paymentLinkResponse },
    errors: ['payment_link_not_found'],
  },
  listPaymentLinks: {
    ...READ,
    id: 'checkout.ListPaymentLinks',
    path: '/api/v1/payment-links',
    permission: 'paymentlink.read',
    reads: ['paymentLinks'],
    query: v.strictObject({ ...resourceQuery, status: v.optional(status) }),
    checkQuery: checkQueryDays('created_from'),
    success: { status: 200, name: 'PaymentLinkPage', schema: pageOf(paymentLinkResponse) },
  },
} as const satisfies Record<string, Operation>;

export function viewPaymentLink({ mode }: Pick<World, 'mode'>, link: PaymentLink): PaymentLinkView {
  return {
    id: link.id,
    number: link.number,
    code: link.code,
    url: link.url,
    amount: link.amount && viewMoney(link.amount),
    amount_type: link.amountType,
    min_amount: link.minAmount && viewMoney(link.minAmount),
    max_amount: link.maxAmount && viewMoney(link.maxAmount),
    currency: link.currency,
    collect_email: link.collect.email,
    collect_name: link.collect.name,
    collect_phone: link.collect.phone,
    created_at: toTimestamp(link.createdAtMs),
    description: link.description,
    expires_at: optionalTimestamp(link.expiresAtMs),
    max_uses: link.maxUses,
    uses: link.uses,
    metadata: link.metadata,
    mode,
    return_url: link.returnUrl,
    status: link.status,
  };
}
