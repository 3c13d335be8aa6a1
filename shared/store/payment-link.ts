import { lastOf, type Step } from '../domain/event.ts';
import type { Payment } from '../domain/payment.ts';
import { LINK_CODE, type PaymentLink, usesChangedBy } from '../domain/payment-link.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import type { Change } from './commit.ts';
import { findEntity, getItem, type Item, insert, replace } from './item.ts';
import { linkCodeKey, linkKey, newestIndex, restIndex } from './keys.ts';
import { countLinkPost } from './link-posts.ts';
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

/** Where a public code leads. */
interface LinkPlace {
  readonly world: World;
  readonly link: PaymentLink;
}

/** The link of a public code and the world that it belongs to, or null where the code leads nowhere. */
export async function findLinkOfCode(code: string): Promise<LinkPlace | null> {
  const place = await findPlace(code);
  return place && findLinkAt(place, await findWorld(place.worldId));
}

/**
 * The same for a form that was sent to it, which is counted meanwhile.
 * @param source the address that it came from
 * @returns also the seconds after which it may be sent again, where there are too many (contract §7)
 */
export async function findLinkOfForm(
  code: string,
  source: string,
  realNowMs: number,
): Promise<(LinkPlace & { readonly retryAfterSeconds: number | null }) | null> {
  const place = await findPlace(code);
  if (place === null) {
    return null;
  }
  const { worldId: id, epoch, linkId } = place;
  const counted = countLinkPost({ id, epoch }, linkId, source, realNowMs);
  const [world, retryAfterSeconds] = await Promise.all([findWorld(id), counted]);
  const found = await findLinkAt(place, world);
  return found && { ...found, retryAfterSeconds };
}

async function findPlace(code: string) {
  const item = LINK_CODE.test(code) ? await getItem(linkCodeKey(code)) : undefined;
  return item === undefined
    ? null
    : { worldId: String(item.worldId), epoch: Number(item.epoch), linkId: String(item.linkId) };
}

async function findLinkAt(
  { epoch, linkId }: { readonly epoch: number; readonly linkId: string },
  world: World | null,
): Promise<LinkPlace | null> {
  // A link of before a purge is gone, though its code is not deleted yet.
  if (world?.epoch !== epoch) {
    return null;
  }
  const link = await findEntity('lnk', linkId, linkKey(world, linkId), toPaymentLink);
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
