import * as v from 'valibot';
import { EVENT_TYPES } from '../../domain/resource.ts';
import { catalogue, type ErrorCode } from '../../errors/catalogue.ts';
import { type AnySchema, instant, integer, text } from '../fields.ts';
import { OPERATION_WORDS } from '../operation-words.ts';
import { paymentLinkOperations } from '../payment-links.ts';
import { paymentOperations } from '../payments.ts';
import { payoutOperations } from '../payouts.ts';
import { refundOperations } from '../refunds.ts';
import { settlementOperations } from '../settlements.ts';
import { clockOperations } from './clock.ts';
import { seedProfile } from './seeding.ts';
import { simulationOperations } from './simulations.ts';
import { sinkOperations } from './sinks.ts';

/* The form of scenario files (contract §16), as data: what a file may say, and the laws that it may ask for. */

/** What happens to the provider's outcomes, in the order in which the first that strikes counts. */
export const PROVIDER_WEATHER = ['silent', 'mismatch', 'reorder', 'late', 'duplicate'] as const;
type ProviderWeather = (typeof PROVIDER_WEATHER)[number];
/** What happens to the deliveries at receivers, in the same order. */
export const RECEIVER_WEATHER = ['error', 'hang', 'drop', 'lost_ack'] as const;
type ReceiverWeather = (typeof RECEIVER_WEATHER)[number];
/** What is checked after each step. */
const LAWS = ['conservation', 'sequence', 'signatures'] as const;
export type LawName = (typeof LAWS)[number];

/** The sum of all shares of outcomes, or of deliveries. */
export const SHARES_TOTAL = 1_000;
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;
const DURATION = /^(?=\d)(?:\d{1,4}d)?(?:\d{1,6}h)?(?:\d{1,8}m)?(?:\d{1,9}s)?$/;
/** The whole of a value: `$order` is the id of what is called so, `${order.amount}` a field of it. */
export const REFERENCE = /^\$(?:[A-Za-z][\w-]*|\{[A-Za-z][\w-]*(?:\.[\w-]+)*\})$/;
const REPEAT_MAX = 1_000;
const STATUS_MIN = 100;
const STATUS_MAX = 599;

/** Marks what a reference can stand for, in the JSON Schema. */
export const OR_REFERENCE = { orReference: true } as const;

/** The parts of a schema: of an object, of what is optional or nullable, of a list, a map and of several forms. */
interface InnerSchemas {
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly wrapped?: AnySchema;
  readonly item?: AnySchema;
  readonly value?: AnySchema;
  readonly getter?: (input: unknown) => AnySchema;
}

/** The schemas of the fields of an object, optional and nullable ones included; undefined for what is none. */
export function fieldsIn(schema: AnySchema): Readonly<Record<string, AnySchema>> | undefined {
  const { entries, wrapped } = schema as InnerSchemas;
  return entries ?? (wrapped && fieldsIn(wrapped));
}

/** The schema of a part of a value, by the keys that lead to it; undefined where it has none. */
export function schemaAt(
  schema: AnySchema,
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
): AnySchema | undefined {
  const { entries, wrapped, item, value: inMap, getter } = schema as InnerSchemas;
  const outer = wrapped ?? getter?.(value);
  if (outer !== undefined) {
    return schemaAt(outer, value, key === undefined ? [] : [key, ...rest]);
  }
  if (key === undefined) {
    return schema;
  }
  const inner = entries === undefined ? (item ?? inMap) : entries[key];
  return inner && schemaAt(inner, Object(value)[key], rest);
}

/** Accepts, of each object, any of its fields. */
function anyPartOf(schema: AnySchema): AnySchema {
  const { entries, wrapped, item } = schema as InnerSchemas;
  if (entries !== undefined) {
    return v.strictObject(partsOf(entries));
  }
  if (wrapped !== undefined) {
    return schema.type === 'nullable' ? v.nullable(anyPartOf(wrapped)) : anyPartOf(wrapped);
  }
  if (item !== undefined) {
    return v.array(anyPartOf(item));
  }
  return schema.type === 'variant'
    ? v.record(v.string(), v.unknown())
    : v.pipe(schema, v.metadata(OR_REFERENCE));
}

function partsOf(entries: Readonly<Record<string, AnySchema>>) {
  return Object.fromEntries(
    Object.entries(entries).map(([name, inner]) => [name, v.optional(anyPartOf(inner))]),
  );
}

/** A rule of one text, whose message says what it takes. */
function formed(pattern: RegExp, takes: string) {
  return v.pipe(
    v.string(),
    v.metadata({ pattern: pattern.source }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (typeof dataset.value !== 'string' || !pattern.test(dataset.value)) {
        addIssue({ message: `format: must be ${takes}` });
      }
    }),
  );
}

const name = formed(NAME, 'a name of at most 40 letters, digits, - and _ that begins with a letter');
const duration = formed(DURATION, 'a duration such as 90s, 20m, 2h, 3d or 1h30m');
const idOrReference = v.pipe(v.string(), v.minLength(1), v.metadata(OR_REFERENCE));
const eventType = v.picklist(EVENT_TYPES);
const errorCode = v.picklist(Object.keys(catalogue) as [ErrorCode, ...ErrorCode[]]);

/** The resources that a step can name, with the operation that retrieves each. */
export const EXPECTED_RESOURCES = {
  payment: paymentOperations.getPayment,
  refund: refundOperations.getRefund,
  link: paymentLinkOperations.getPaymentLink,
  payout: payoutOperations.getPayout,
  settlement: settlementOperations.getSettlement,
  clock: clockOperations.getClock,
} as const;
export type ExpectedResource = keyof typeof EXPECTED_RESOURCES;

/** What can be simulated, with its operation. */
export const SIMULATED = {
  payment: simulationOperations.simulatePayment,
  refund: simulationOperations.simulateRefund,
  payout: simulationOperations.simulatePayout,
  settlement: simulationOperations.simulateSettlement,
} as const;
export type SimulatedResource = keyof typeof SIMULATED;

/** Creates a payment by the form of a link's page, as a payer does: the only call that needs no key. */
const PAY_BY_LINK = 'links.pay';
/** What `call` takes: the words of the command line, with dots. */
const CALLS = [PAY_BY_LINK, ...Object.keys(OPERATION_WORDS).map((words) => words.replace(' ', '.'))];

const callFields = {
  call: v.picklist(CALLS),
  id: v.optional(idOrReference),
  delivery_id: v.optional(idOrReference),
  with: v.optional(v.record(v.string(), v.unknown())),
};
const callStep = v.strictObject({ ...callFields, as: v.optional(name) });

/** The fields of a simulation, beside what is simulated. */
function simulationFields(resource: SimulatedResource) {
  const { bodyId, body } = SIMULATED[resource] as { readonly bodyId?: string; readonly body: AnySchema };
  const fields = Object.entries(fieldsIn(body) ?? {}).filter(
    ([field]) => field !== bodyId && field !== 'provider',
  );
  return Object.fromEntries(fields);
}

/** Forms of `simulate`, by the key that says what is simulated: of a settlement, its provider or nothing. */
const simulationForms: Readonly<Record<SimulatedResource, AnySchema>> = {
  payment: v.strictObject({ payment: idOrReference, ...simulationFields('payment') }),
  refund: v.strictObject({ refund: idOrReference, ...simulationFields('refund') }),
  payout: v.strictObject({ payout: idOrReference, ...simulationFields('payout') }),
  settlement: v.strictObject({ settlement: v.nullable(idOrReference), ...simulationFields('settlement') }),
};

const simulation = oneOfForms(simulationForms);
const simulateStep = v.strictObject({ simulate: simulation, as: v.optional(name) });
const advanceStep = v.strictObject({ advance: duration });

const times = v.optional(integer(0, REPEAT_MAX));
const causes = { call: v.strictObject(callFields), simulate: v.strictObject({ simulate: simulation }) };

/** Forms of `expect`, by the key that says what is expected. */
const expectationForms: Readonly<Record<string, AnySchema>> = {
  ...Object.fromEntries(
    Object.entries(EXPECTED_RESOURCES).map(([resource, { success }]) => {
      const fields = partsOf(fieldsIn(success.schema) ?? {});
      return [
        resource,
        v.strictObject({ ...fields, [resource]: resource === 'clock' ? instant : idOrReference }),
      ];
    }),
  ),
  problem: v.strictObject({ problem: errorCode, from: oneOfForms(causes) }),
  event: v.strictObject({ event: eventType, of: v.optional(idOrReference), times }),
  delivery: v.strictObject({
    delivery: eventType,
    of: v.optional(idOrReference),
    sink: v.optional(name),
    answered: v.optional(v.nullable(integer(STATUS_MIN, STATUS_MAX))),
    times,
  }),
};

const expectStep = v.strictObject({ expect: oneOfForms(expectationForms) });
const steps = v.pipe(v.array(v.lazy((input) => formOf(stepForms, input))), v.minLength(1));
const repeatStep = v.strictObject({ repeat: v.strictObject({ times: integer(1, REPEAT_MAX), steps }) });

/** Forms of a step, by the key that says what it does. */
const stepForms: Readonly<Record<string, AnySchema>> = {
  call: callStep,
  advance: advanceStep,
  simulate: simulateStep,
  expect: expectStep,
  repeat: repeatStep,
};

/** The form whose key an object has; for any other value, all of them. */
function formOf(forms: Readonly<Record<string, AnySchema>>, input: unknown): AnySchema {
  const key = Object.keys(Object(input)).find((each) => Object.hasOwn(forms, each));
  return (key === undefined ? undefined : forms[key]) ?? unionOf(forms);
}

type FormUnion = v.UnionSchema<AnySchema[], undefined>;
const unions = new Map<object, FormUnion>();

/** Returns one and the same union each time, for the JSON Schema defines each that it has not seen. */
function unionOf(forms: Readonly<Record<string, AnySchema>>): FormUnion {
  const union = unions.get(forms) ?? v.union(Object.values(forms));
  unions.set(forms, union);
  return union;
}

/** The keys of which an object of several forms must have one; none for any other schema. */
export function formKeysOf(schema: AnySchema): string[] {
  return [...unions].flatMap(([forms, union]) => ((union as AnySchema) === schema ? Object.keys(forms) : []));
}

function oneOfForms(forms: Readonly<Record<string, AnySchema>>) {
  return v.lazy((input) => formOf(forms, input));
}

function shares<const Kind extends string>(kinds: readonly Kind[]) {
  const entries = kinds.map((kind) => [kind, v.optional(integer(0, SHARES_TOTAL))]);
  return v.strictObject(
    Object.fromEntries(entries) as Record<Kind, v.OptionalSchema<v.GenericSchema<number>, undefined>>,
  );
}

const sinkScript = v.strictObject({
  fail_count: sinkOperations.updateWebhookSink.body.entries.fail_count,
  respond_status: sinkOperations.updateWebhookSink.body.entries.respond_status,
});

/** A scenario file. */
export const scenarioSchema = v.strictObject({
  name: text(1, 120),
  given: v.optional(
    v.strictObject({
      starts_at: v.optional(instant),
      seed: v.optional(seedProfile),
      sinks: v.optional(v.record(name, sinkScript)),
    }),
  ),
  weather: v.optional(
    v.strictObject({
      provider: v.optional(shares(PROVIDER_WEATHER)),
      receivers: v.optional(shares(RECEIVER_WEATHER)),
    }),
  ),
  steps,
  always: v.optional(v.array(v.picklist(LAWS))),
});

/** Names in the JSON Schema for what it refers to. */
export const SCENARIO_DEFINITIONS = {
  Step: unionOf(stepForms),
  Expectation: unionOf(expectationForms),
  Simulation: unionOf(simulationForms),
  Cause: unionOf(causes),
};

/** Fields of a step, by their names. */
export type ScenarioFields = Readonly<Record<string, unknown>>;

/** One operation, by its command-line words. */
export interface ScenarioCall {
  readonly call: string;
  readonly id?: string;
  readonly delivery_id?: string;
  readonly with?: ScenarioFields;
  readonly as?: string;
}

/** An outcome that the provider reports. */
export interface ScenarioSimulation {
  readonly simulate: ScenarioFields;
  readonly as?: string;
}

/** One step of a scenario: a call, a move of the clock, an outcome, an expectation, or steps that are repeated. */
export type ScenarioStep =
  | ScenarioCall
  | ScenarioSimulation
  | { readonly advance: string }
  | { readonly expect: ScenarioFields }
  | { readonly repeat: { readonly times: number; readonly steps: readonly ScenarioStep[] } };

export interface ScenarioWeather {
  readonly provider?: { readonly [Kind in ProviderWeather]?: number };
  readonly receivers?: { readonly [Kind in ReceiverWeather]?: number };
}

/** A scenario, as its file says it. */
export interface Scenario {
  readonly name: string;
  readonly given?: {
    readonly starts_at?: string;
    readonly seed?: v.InferOutput<typeof seedProfile>;
    readonly sinks?: Readonly<Record<string, v.InferOutput<typeof sinkScript>>>;
  };
  readonly weather?: ScenarioWeather;
  readonly steps: readonly ScenarioStep[];
  readonly always?: readonly LawName[];
}
