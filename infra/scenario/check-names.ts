import * as v from 'valibot';
import { type Operation, pathParamsOf } from '../../shared/contract/operation.ts';
import { paymentOperations } from '../../shared/contract/payments.ts';
import {
  fieldsIn,
  type Scenario,
  type ScenarioCall,
  type ScenarioStep,
  SIMULATED,
} from '../../shared/contract/testkit/scenarios.ts';
import { ADVANCE_SECONDS_MAX } from '../../shared/domain/world.ts';
import { parseDurationSeconds } from '../terminal/duration.ts';
import { explainIssues, type PartError, withNearest } from './explain-issues.ts';
import type { PartPath } from './positions.ts';
import { referencesIn } from './references.ts';
import { operationOf, simulatedIn } from './scenario-calls.ts';

type ResultSchema = v.GenericSchema;
type Simulation = Extract<ScenarioStep, { readonly simulate: unknown }>;
type Expectation = Extract<ScenarioStep, { readonly expect: unknown }>;

/** What the schema of the file cannot say: names, and the fields that each operation takes. The form is right already. */
export function checkNames({ steps, given }: Scenario): PartError[] {
  return new NameCheck(Object.keys(given?.sinks ?? {})).check(steps, ['steps']);
}

class NameCheck {
  readonly #sinks: readonly string[];
  readonly #names: Map<string, ResultSchema>;
  readonly #errors: PartError[] = [];

  constructor(sinks: readonly string[]) {
    this.#sinks = sinks;
    this.#names = new Map(sinks.map((sink) => [sink, v.object({ id: v.string() })]));
  }

  check(steps: readonly ScenarioStep[], path: PartPath): PartError[] {
    for (const [index, step] of steps.entries()) {
      this.#checkStep(step, [...path, index]);
    }
    return this.#errors;
  }

  #add(path: PartPath, text: string): void {
    this.#errors.push({ path, text });
  }

  #name(as: string | undefined, schema: ResultSchema): void {
    if (as !== undefined) {
      this.#names.set(as, schema);
    }
  }

  #checkStep(step: ScenarioStep, path: PartPath): void {
    if ('call' in step) {
      this.#checkCall(step, path);
      this.#name(step.as, schemaOfResult(step));
    } else if ('advance' in step) {
      const seconds = parseDurationSeconds(step.advance);
      if (seconds < 1 || seconds > ADVANCE_SECONDS_MAX) {
        this.#add([...path, 'advance'], `advance must be 1s to ${ADVANCE_SECONDS_MAX}s.`);
      }
    } else if ('simulate' in step) {
      this.#checkSimulation(step, path);
    } else if ('expect' in step) {
      this.#checkExpectation(step, [...path, 'expect']);
    } else {
      this.check(step.repeat.steps, [...path, 'repeat', 'steps']);
    }
  }

  #checkCall(call: ScenarioCall, path: PartPath): void {
    const found = operationOf(call);
    const params = found === null ? ['id'] : pathParamsOf(found.row);
    for (const param of ['id', 'delivery_id'] as const) {
      if (params.includes(param) && call[param] === undefined) {
        this.#add([...path, 'call'], `${call.call} needs ${param}.`);
      } else if (!params.includes(param) && call[param] !== undefined) {
        this.#add([...path, param], `${call.call} takes no ${param}.`);
      }
    }
    this.#checkReferences([call.id, call.delivery_id], path);
    this.#checkReferences(call.with, [...path, 'with']);
    if (found !== null) {
      this.#errors.push(...checkFields(found.row, call, [...path, 'with']));
    }
  }

  #checkSimulation({ simulate, as }: Simulation, path: PartPath): void {
    const resource = simulatedIn(simulate);
    this.#checkReferences(simulate, [...path, 'simulate']);
    if (as !== undefined && (resource === 'payment' || resource === 'refund')) {
      this.#add([...path, 'as'], `the outcome of a ${resource} has no name, for weather may hold it back.`);
    }
    this.#name(as, v.object({ id: v.string(), ...fieldsIn(SIMULATED[resource].success.schema) }));
  }

  #checkExpectation({ expect }: Expectation, path: PartPath): void {
    const { from, sink, ...expected } = expect as { from?: ScenarioStep; sink?: string };
    this.#checkReferences(expected, path);
    if (from !== undefined) {
      this.#checkStep(from, [...path, 'from']);
    }
    if (sink !== undefined && !this.#sinks.includes(sink)) {
      const text = `${sink} is not a sink of given.sinks`;
      this.#add([...path, 'sink'], withNearest(text, sink, this.#sinks));
    }
  }

  #checkReferences(value: unknown, path: PartPath): void {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        this.#checkReferences(inner, [...path, key]);
      }
      return;
    }
    for (const { name, fields } of referencesIn(value)) {
      const schema = this.#names.get(name);
      if (schema === undefined) {
        const text = `$${name} is not the name of an earlier step`;
        this.#add(path, withNearest(text, name, [...this.#names.keys()]));
        continue;
      }
      const unknown = unknownIn(schema, fields.length === 0 ? ['id'] : fields);
      if (unknown !== null) {
        this.#add(path, withNearest(`$${name} has no field ${unknown.field}`, unknown.field, unknown.known));
      }
    }
  }
}

function schemaOfResult(call: ScenarioCall): ResultSchema {
  const row: Operation = operationOf(call)?.row ?? paymentOperations.getPayment;
  return 'schema' in row.success ? row.success.schema : v.object({});
}

/** The fields that a call sends, against the schema of its operation. */
function checkFields(row: Operation, { call, with: fields = {} }: ScenarioCall, path: PartPath): PartError[] {
  const schema = row.body ?? row.query;
  const allowed = Object.keys((schema && fieldsIn(schema)) ?? {}).filter((field) => field !== row.bodyId);
  if (schema === undefined || allowed.length === 0) {
    return Object.keys(fields).length === 0 ? [] : [{ path, text: `${call} takes no fields.` }];
  }
  // A query is text on the wire.
  const sent =
    row.body === undefined
      ? Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)]))
      : fields;
  const parsed = v.safeParse(schema, sent);
  return parsed.success ? [] : explainIssues(schema, parsed.issues, fields, path);
}

/** The first of the fields that a schema does not have, and those that it has; null where it has all. */
function unknownIn(
  schema: ResultSchema,
  [field, ...rest]: readonly string[],
): { readonly field: string; readonly known: string[] } | null {
  const fields = fieldsIn(schema);
  if (field === undefined || fields === undefined) {
    return null;
  }
  const inner = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return inner === undefined ? { field, known: Object.keys(fields) } : unknownIn(inner, rest);
}
