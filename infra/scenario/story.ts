import type { ScenarioFields, ScenarioStep } from '../../shared/contract/testkit/scenarios.ts';
import type { ScenarioWorld } from './scenario-world.ts';

/** A step in a few words, as its file says it: `simulate payment $order, outcome succeeded`. */
export function describeStep(step: ScenarioStep): string {
  if ('call' in step) {
    const { call, id, delivery_id, as } = step;
    const what = ['call', call, id, delivery_id].filter((word) => word !== undefined).join(' ');
    return as === undefined ? what : `${what} as ${as}`;
  }
  if ('advance' in step) {
    return `advance ${step.advance}`;
  }
  if ('simulate' in step) {
    return `simulate ${fieldsText(step.simulate)}`;
  }
  if ('expect' in step) {
    const { from, ...expected } = step.expect as ScenarioFields & { from?: ScenarioStep };
    return `expect ${fieldsText(expected)}${from === undefined ? '' : ` from ${describeStep(from)}`}`;
  }
  return `repeat ${step.repeat.times} times`;
}

/** The fields of a step: `payment $order, outcome succeeded`. */
export function fieldsText(fields: ScenarioFields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

/** An event, as far as a story tells it. */
interface StoryEvent {
  readonly id: string;
  readonly type: string;
  readonly resource: string;
}

/**
 * The events of a world by their resources, and which of them each receiver has accepted. Ids are replaced by names, for
 * they are new in each run, and resources have no order among one another.
 * @param names by the ids of resources
 */
export async function storyOfEvents(
  { client, sinks }: ScenarioWorld,
  names: ReadonlyMap<string, string>,
): Promise<string[]> {
  const events: StoryEvent[] = [];
  for await (const { id, type, data } of client.listEvents({ after_sequence: 0, limit: 100 })) {
    const object = data.object as { id?: string; number?: string };
    events.push({ id, type, resource: names.get(String(object.id)) ?? object.number ?? type });
  }
  const lines = ['events', ...linesByResource(events)];
  for (const [name, sink] of sinks) {
    const accepted = new Set<string>();
    for await (const { event_id, answered_status } of sink.deliveries()) {
      if (answered_status !== null && answered_status >= 200 && answered_status < 300) {
        accepted.add(event_id);
      }
    }
    lines.push(`accepted by ${name}`, ...linesByResource(events.filter(({ id }) => accepted.has(id))));
  }
  return lines;
}

function linesByResource(events: readonly StoryEvent[]): string[] {
  const byResource = Map.groupBy(events, ({ resource }) => resource);
  return [...byResource.keys()].toSorted().map((resource) => {
    const types = byResource.get(resource)?.map(({ type }) => type) ?? [];
    return `  ${resource}: ${types.join(', ')}`;
  });
}
