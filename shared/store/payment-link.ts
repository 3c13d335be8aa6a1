import { lastOf, type Step } from '../domain/event.ts';
import type { Payment } from '../domain/payment.ts';
import { LINK_CODE, type PaymentLink, usesChangedBy } from '../domain/payment-link.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import type { Change } from './commit.ts';
import { findEntity, getItem, type Item, insert, replace } from './item.ts';
import { linkCodeKey, linkKey, newestIndex, restIndex } from './keys.ts';
import { listPage, newestFirst, type Page, type PageRequest } from './list.ts';
import { readPayment } from './payment.ts';
import { findWorld } from './world.ts';

/**
 * @throws Problem `payment_link_not_found`
 */
export async function getPaymentLink(world: World, id: string): Promise<PaymentLink> {
  return found(await findEntity('lnk', id, linkKey(world, id), toPaymentLink), 'payment_link_not_found');
}

/**
 * The link of a payment that has given its use back: money that comes now may overpay it. Null for every other payment.
 */
export async function readLinkOfEnded(
  world: World,
  { linkId, status }: Pick<Payment, 'linkId' | 'status'>,
): Promise<PaymentLink | null> {
  const hasGivenBack = usesChangedBy(status, 'succeeded').takenUses > 0;
  return (linkId ?? null) !== null && hasGivenBack ? getPaymentLink(world, String(linkId)) : null;
}

/**
 * A payment as it is stored, and the link that it may overpay.
 * @throws Problem `payment_not_found`
 */
export async function readPaymentWithLink(world: World, id: string) {
  const payment = await readPayment(world, id);
  return { payment, link: await readLinkOfEnded(world, payment) };
}

/** A new link, and the place where its public code finds it. Both must be new: a code is never given out twice. */
export function insertPaymentLink(world: World, link: PaymentLink): Change[] {
  const place = { worldId: world.id, epoch: world.epoch, linkId: link.id };
  return [
    insert(toItem(world, link)),
    insert({ ...linkCodeKey(link.code), ...restIndex(world, link.code), ...place }),
  ];
}

/** The link of a public code and the world that it belongs to, or null where the code leads nowhere. */
export async function findLinkOfCode(code: string): Promise<{ world: World; link: PaymentLink } | null> {
  const place = LINK_CODE.test(code) ? await getItem(linkCodeKey(code)) : undefined;
  const world = place && (await findWorld(String(place.worldId)));
  // A link of before a purge is gone, though its code is not deleted yet.
  if (place === undefined || !world || world.epoch !== Number(place.epoch)) {
    return null;
  }
  const id = String(place.linkId);
  const link = await findEntity('lnk', id, linkKey(world, id), toPaymentLink);
  return link && { world, link };
}

/** Records what became of a link: nothing, where it took no step. */
export function recordPaymentLink(
  world: World,
  before: PaymentLink,
  steps: readonly Step<PaymentLink>[],
): Change[] {
  return steps.length === 0 ? [] : [replace(toItem(world, lastOf(before, steps)), before.version)];
}

export interface PaymentLinkFilter extends PageRequest {
  readonly status?: string | undefined;
}

/** One page of payment links, newest first. */
export function listPaymentLinks(world: World, filter: PaymentLinkFilter): Promise<Page<PaymentLink>> {
  const { status } = filter;
  const source = newestFirst(world, 'LINKS', world.counts.paymentLink);
  return listPage(
    source,
    filter,
    toPaymentLink,
    status === undefined ? undefined : (link) => link.status === status,
  );
}

function toPaymentLink(item: Item): PaymentLink {
  return { ...item, metadata: JSON.parse(String(item.metadata)) } as unknown as PaymentLink;
}

function toItem(world: World, link: PaymentLink) {
  return {
    ...link,
    ...linkKey(world, link.id),
    ...newestIndex(world, 'LINKS', link.number, link.id),
    metadata: JSON.stringify(link.metadata),
  };
}
