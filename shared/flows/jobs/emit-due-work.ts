import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { BUS_NAME_VARIABLE, type Due, RECEIVER_DUE } from '../../contract/bus.ts';
import { AwsClient } from '../../store/aws-client.ts';
import { log } from '../../telemetry/log.ts';

/** EventBridge's limit for one call. */
const ENTRIES_MAX = 10;
const client: unknown = new AwsClient({
  name: 'events',
  contentType: 'application/x-amz-json-1.1',
  endpointVariable: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
});
const eventBridge = client as Pick<EventBridgeClient, 'send'>;

/** Says on the bus where work is due. What gets lost is said again by the next tick of the clock. */
export async function emitDueWork(
  { source, detailType }: { readonly source: string; readonly detailType: string },
  due: readonly Due[],
): Promise<void> {
  let lost = 0;
  for (let from = 0; from < due.length; from += ENTRIES_MAX) {
    const Entries = due.slice(from, from + ENTRIES_MAX).map((detail) => ({
      EventBusName: process.env[BUS_NAME_VARIABLE],
      Source: source,
      DetailType: detailType,
      Detail: JSON.stringify(detail),
    }));
    const { FailedEntryCount = 0 } = await eventBridge.send(new PutEventsCommand({ Entries }));
    lost += FailedEntryCount;
  }
  if (lost > 0) {
    // EventBridge answers 200 even then.
    log.warn('the bus refused events', { lost });
  }
}

/** Says of each of these partitions that attempts wait there for a receiver: each is somebody's work. */
export function emitDueQueues(worldId: string, pks: readonly string[]): Promise<void> {
  return emitDueWork(
    RECEIVER_DUE,
    pks.map((pk) => ({ worldId, pks: [pk] })),
  );
}
