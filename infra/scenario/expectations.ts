import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../shared/client/client.ts';
import {
  EXPECTED_RESOURCES,
  type ExpectedResource,
  type ScenarioFields,
} from '../../shared/contract/testkit/scenarios.ts';
import type { ScenarioWorld } from './scenario-world.ts';

/** How an expectation and what there is differ. */
interface Difference {
  readonly expected: string;
  readonly actual: string;
}

/** Looks whether an expectation holds. @returns null, or how it does not */
export type ExpectationCheck = (
  world: Pick<ScenarioWorld, 'client' | 'sinks'>,
  expected: ScenarioFields,
) => Promise<Difference | null>;

/** Checks of the kinds of expectation about what there is, by their keys. */
export const EXPECTATIONS: Readonly<Record<string, ExpectationCheck>> = {
  ...Object.fromEntries(
    (Object.keys(EXPECTED_RESOURCES) as ExpectedResource[]).map((resource) => [
      resource,
      ({ client }: Pick<ScenarioWorld, 'client'>, expected: ScenarioFields) =>
        checkResource(client, resource, expected),
    ]),
  ),
  event: checkEvent,
  delivery: checkDelivery,
};

const RETRIEVE: Readonly<Record<ExpectedResource, (client: Client, id: string) => Promise<object>>> = {
  payment: (client, id) => client.getPayment(id),
  refund: (client, id) => client.getRefund(id),
  link: (client, id) => client.getPaymentLink(id),
  payout: (client, id) => client.getPayout(id),
  settlement: (client, id) => client.getSettlement(id),
  clock: (client) => client.getClock(),
};

async function checkResource(
  client: Client,
  resource: ExpectedResource,
  { [resource]: named, ...expected }: ScenarioFields,
): Promise<Difference | null> {
  const actual: ScenarioFields = { ...(await RETRIEVE[resource](client, String(named))) };
  if (resource === 'clock' && Date.parse(String(actual.now)) < Date.parse(String(named))) {
    return { expected: `the clock at ${named} or later`, actual: `it shows ${actual.now}` };
  }
  const different = Object.keys(expected).filter((field) => !includes(actual[field], expected[field]));
  return different.length === 0
    ? null
    : { expected: listed(expected, different), actual: `it has ${listed(actual, different)}` };
}

/** Whether a value has what is expected: of an object, the fields that are named. */
function includes(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((each, index) => includes(actual[index], each))
    );
  }
  if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    const fields: ScenarioFields = { ...actual };
    return Object.entries(expected).every(([field, value]) => includes(fields[field], value));
  }
  return isDeepStrictEqual(actual, expected);
}

function listed(fields: ScenarioFields, names: readonly string[]): string {
  return names.map((name) => `${name} ${JSON.stringify(fields[name]) ?? 'missing'}`).join(', ');
}

async function checkEvent(
  { client }: Pick<ScenarioWorld, 'client'>,
  { event: type, of, times }: ScenarioFields,
): Promise<Difference | null> {
  let found = 0;
  // The order by number lags behind nothing.
  for await (const event of client.listEvents({ after_sequence: 0, limit: 100 })) {
    const { id } = event.data.object as { id?: string };
    found += event.type === type && (of === undefined || id === of) ? 1 : 0;
  }
  return counted(`${type}`, found, times);
}

async function checkDelivery(
  { sinks }: Pick<ScenarioWorld, 'sinks'>,
  { delivery: type, of, sink: name, answered, times }: ScenarioFields,
): Promise<Difference | null> {
  const receivers = name === undefined ? [...sinks.values()] : [sinks.get(String(name))];
  const statuses: (number | null)[] = [];
  for (const receiver of receivers) {
    for await (const { body, answered_status } of receiver?.deliveries() ?? []) {
      const event = JSON.parse(body) as { type: string; data: { object: { id?: string } } };
      if (event.type === type && (of === undefined || event.data.object.id === of)) {
        statuses.push(answered_status);
      }
    }
  }
  const right = statuses.filter((status) => answered === undefined || status === answered);
  const what = answered === undefined ? `${type} delivered` : `${type} answered ${answered ?? 'by nothing'}`;
  const difference = counted(what, right.length, times);
  return difference === null || statuses.length === right.length
    ? difference
    : { ...difference, actual: `${difference.actual}, of answers ${statuses.toReversed().join(', ')}` };
}

function counted(what: string, found: number, times: unknown): Difference | null {
  const isRight = times === undefined ? found > 0 : found === times;
  return isRight
    ? null
    : {
        expected: `${what} ${times === undefined ? 'at least once' : `${times} times`}`,
        actual: `it was ${found} times`,
      };
}
