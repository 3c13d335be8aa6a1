import { type Payment, usesChangedBy } from '../../domain/payment.ts';
import { LINK_CODE, type PaymentLink } from '../../domain/payment-link.ts';
import type { World } from '../../domain/world.ts';
import { find, get } from '../table/entity.ts';
import { getItem } from '../table/item.ts';
import { linkCodeKey } from '../table/keys.ts';
import { findOpenWorld, type Moment, type StoredWorld } from '../worlds/world.ts';
import { countLinkPost } from './link-posts.ts';
import { getPayment } from './payments.ts';

/**
 * The link of a payment that has released its use: late money may overpay this link. Null for every other payment.
 */
export async function readLinkOfEnded(
  world: World,
  { linkId, status }: Pick<Payment, 'linkId' | 'status'>,
): Promise<PaymentLink | null> {
  const hasGivenBack = usesChangedBy(status, 'succeeded').taken > 0;
  return (linkId ?? null) !== null && hasGivenBack ? get('paymentLink', world, String(linkId)) : null;
}

/**
 * A payment as it is stored, and the link that it may overpay.
 * @throws Problem as `getPayment` does
 */
export async function readPaymentWithLink(moment: Moment, id: string) {
  const payment = await getPayment(moment, id);
  return { payment, link: await readLinkOfEnded(moment.world, payment) };
}

/** The link that a public code leads to, and its world. */
interface LinkInWorld {
  readonly world: StoredWorld;
  readonly link: PaymentLink;
}

/** The link of a public code and its world, or null for an unknown code. */
export async function findLinkOfCode(code: string): Promise<LinkInWorld | null> {
  const linkKey = await findLinkKey(code);
  return linkKey && findLinkAt(linkKey, await findOpenWorld(linkKey.worldId));
}

/**
 * The link of a form that was sent to it. Counts the form at the same time.
 * @param source the address that the form came from
 * @returns `retryAfterSeconds`: null, or the seconds to wait where too many forms were sent (contract §7)
 */
export async function findLinkOfForm(
  code: string,
  source: string,
  realNowMs: number,
): Promise<(LinkInWorld & { readonly retryAfterSeconds: number | null }) | null> {
  const linkKey = await findLinkKey(code);
  if (linkKey === null) {
    return null;
  }
  const { worldId: id, epoch, linkId } = linkKey;
  const counted = countLinkPost({ id, epoch }, linkId, source, realNowMs);
  const [world, retryAfterSeconds] = await Promise.all([findOpenWorld(id), counted]);
  const found = await findLinkAt(linkKey, world);
  return found && { ...found, retryAfterSeconds };
}

async function findLinkKey(code: string) {
  const item = LINK_CODE.test(code) ? await getItem(linkCodeKey(code)) : undefined;
  return item === undefined
    ? null
    : { worldId: String(item.worldId), epoch: Number(item.epoch), linkId: String(item.linkId) };
}

async function findLinkAt(
  { epoch, linkId }: { readonly epoch: number; readonly linkId: string },
  world: StoredWorld | null,
): Promise<LinkInWorld | null> {
  // A purge has ended the link, though its code is not deleted yet.
  if (world?.epoch !== epoch) {
    return null;
  }
  const link = await find('paymentLink', world, linkId);
  return link && { world, link };
}
