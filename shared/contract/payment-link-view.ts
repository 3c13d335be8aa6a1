import { toTimestamp } from '../domain/clock.ts';
import type { PaymentLink } from '../domain/payment-link.ts';
import type { World } from '../domain/world.ts';
import type { PaymentLinkView } from './payment-links.ts';
import { optionalTimestamp, viewMoney } from './view-fields.ts';

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
