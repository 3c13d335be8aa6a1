import { asDeliveredTo } from '../../contract/events.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { deliver, type ToDeliver } from '../../webhooks/deliver.ts';

/** Posts an event to a delivery target in the format of that target, and returns the attempt for the log. */
export function deliverEvent(delivery: ToDeliver): Promise<Delivery> {
  return deliver({ ...delivery, event: asDeliveredTo(delivery.target.endpoint, delivery.event) });
}
