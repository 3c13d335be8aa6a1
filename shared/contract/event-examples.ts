import { MINUTE_MS, toTimestamp } from '../domain/clock.ts';
import type { EventType } from '../domain/resource.ts';
import { EVENT_EXAMPLES } from './docs.ts';
import { PING } from './events.ts';
import { EXAMPLES } from './examples.ts';

/** The time of an example that is still to be recorded. */
const NOT_RECORDED_AT = toTimestamp(0);

type Fields = Readonly<Record<string, unknown>>;

/** The example of an event as a receiver gets it: a recorded resource in the status that the event reports. */
export function eventExample(type: EventType | typeof PING): unknown {
  if (type === PING) {
    return JSON.parse(String(recordedBy('webhooks.SendTestEvent').body ?? null));
  }
  const { of, statuses, changes, isByTime } = EVENT_EXAMPLES[type];
  const resource = recordedBy(of);
  const createdAtMs = Date.parse(String(resource.created_at ?? NOT_RECORDED_AT));
  const history = statuses.map(([status, minute]) => ({
    status,
    at: toTimestamp(createdAtMs + minute * MINUTE_MS),
  }));
  const { status, at } = history.at(-1) ?? {};
  const object = {
    ...resource,
    ...(status !== 'requires_action' && 'next_action' in resource && { next_action: null }),
    ...('updated_at' in resource && { updated_at: at }),
    ...(status === 'succeeded' && { succeeded_at: at }),
    ...changes,
    status,
    ...('status_history' in resource && { status_history: history }),
  };
  const event = recordedBy('events.GetEvent');
  return {
    ...event,
    type,
    timestamp: at,
    data: { object, previous_status: history.at(-2)?.status ?? null },
    request: isByTime ? { id: null, idempotency_key: null } : event.request,
  };
}

/** Empty where nothing is recorded yet: to record a new operation, the service must start, with its document. */
function recordedBy(operation: string): Fields {
  return (EXAMPLES[operation] ?? {}) as Fields;
}
