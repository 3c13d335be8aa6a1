import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { BUS_NAME_VARIABLE, WORLD_DUE, type WorldDue } from '../../shared/contract/bus.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { log } from '../../shared/http/log.ts';
import { report } from '../../shared/http/metrics.ts';
import { serveWorker } from '../../shared/http/serve-worker.ts';
import { AwsClient } from '../../shared/store/aws-client.ts';
import { findDueWork } from '../../shared/store/scheduler/due.ts';

/** EventBridge's limit for one call. */
const ENTRIES_MAX = 10;
const client: unknown = new AwsClient({
  name: 'events',
  contentType: 'application/x-amz-json-1.1',
  endpointVariable: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
});
const eventBridge = client as Pick<EventBridgeClient, 'send'>;

/** Runs every minute: finds the worlds with due work and puts one event on the bus for each. */
export const handler = serveWorker('clock-tick', async () => {
  const nowMs = Date.now();
  const { pks, oldestDueAtMs } = await findDueWork(nowMs);
  const due = [...pks].map(([worldId, its]): WorldDue => ({ worldId, pks: [...its] }));
  // Before the calls to the bus, so that the metric of late jobs is reported even if they fail.
  report({ OldestDueJobAge: (nowMs - (oldestDueAtMs ?? nowMs)) / SECOND_MS, DueWorlds: due.length });
  let lost = 0;
  for (let from = 0; from < due.length; from += ENTRIES_MAX) {
    const Entries = due.slice(from, from + ENTRIES_MAX).map((detail) => ({
      EventBusName: process.env[BUS_NAME_VARIABLE],
      Source: WORLD_DUE.source,
      DetailType: WORLD_DUE.detailType,
      Detail: JSON.stringify(detail),
    }));
    const { FailedEntryCount = 0 } = await eventBridge.send(new PutEventsCommand({ Entries }));
    lost += FailedEntryCount;
  }
  log.info('tick', { worlds: due.length });
  if (lost > 0) {
    // EventBridge answers 200 even then. The next tick finds these worlds again.
    log.warn('the bus refused events', { lost });
  }
});
