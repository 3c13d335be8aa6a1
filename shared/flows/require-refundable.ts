import type { Payment } from '../domain/payment.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { loadProviderKind } from '../providers/provider-kinds.ts';

/**
 * Requires that the provider of a live payment can refund it (contract §15).
 * @throws Problem `refund_unavailable`
 */
export async function requireRefundable({ provider }: World, payment: Payment): Promise<void> {
  const { method, attempt, customer } = payment;
  const kind = attempt?.account?.kind ?? provider?.kind;
  if (kind === undefined) {
    return;
  }
  const { methods } = await loadProviderKind(kind);
  const way = method === null ? null : (methods.get(method)?.refund ?? null);
  if (way === null || (way === 'by-email' && customer.email === null)) {
    throw new Problem('refund_unavailable');
  }
}
