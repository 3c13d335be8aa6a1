import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { type Due, RECEIVER_DUE } from '../../contract/bus.ts';
import type { World } from '../../domain/world.ts';
import { readVariable } from '../../environment/variables.ts';
import { AWS_OPTIONS } from '../../store/table/aws-client.ts';
import { log } from '../../telemetry/log.ts';

/** EventBridge's limit for one call. */
const ENTRIES_MAX = 10;

/** @internal tests intercept its calls */
export const eventBridge = new EventBridgeClient(AWS_OPTIONS);

/** Puts an event on the bus for each world or queue with due work. The next tick of the clock repeats events that are lost. */
export async function announceDueWork(
  { source, detailType }: { readonly source: string; readonly detailType: string },
  due: readonly Due[],
): Promise<void> {
  let lost = 0;
  for (let from = 0; from < due.length; from += ENTRIES_MAX) {
    const Entries = due.slice(from, from + ENTRIES_MAX).map((detail) => ({
      EventBusName: readVariable('busName'),
      Source: source,
      DetailType: detailType,
      Detail: JSON.stringify(detail),
    }));
    const { FailedEntryCount = 0 } = await eventBridge.send(new PutEventsCommand({ Entries }));
    lost += FailedEntryCount;
  }
  if (lost > 0) {
    // EventBridge responds with 200 even if it refuses entries.
    log.warn('the bus refused events', { lost });
  }
}

/** Puts an event on the bus for each of these partitions of queued delivery attempts, since each runs on its own. */
export function announceDueQueues({ id, mode }: World, pks: readonly string[]): Promise<void> {
  return announceDueWork(
    RECEIVER_DUE[mode],
    pks.map((pk) => ({ worldId: id, pks: [pk] })),
  );
}
