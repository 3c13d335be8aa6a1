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

type AnswerSchema = v.GenericSchema;

/** What the schema of the file cannot say: names, and the fields that each operation takes. The form is right already. */
export function checkNames({ steps, given }: Scenario): PartError[] {
  const sinks = Object.keys(given?.sinks ?? {});
  const names = new Map<string, AnswerSchema>(sinks.map((sink) => [sink, v.object({ id: v.string() })]));
  const errors: PartError[] = [];
  const add = (path: PartPath, text: string) => errors.push({ path, text });

  const checkReferences = (value: unknown, path: PartPath) => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        checkReferences(inner, [...path, key]);
      }
      return;
    }
    for (const { name, fields } of referencesIn(value)) {
      const schema = names.get(name);
      if (schema === undefined) {
        add(path, withNearest(`$${name} is not the name of an earlier step`, name, [...names.keys()]));
        continue;
      }
      const unknown = fields.length === 0 ? unknownIn(schema, ['id']) : unknownIn(schema, fields);
      if (unknown !== null) {
        add(path, withNearest(`$${name} has no field ${unknown.field}`, unknown.field, unknown.known));
      }
    }
  };

  const checkCall = (call: ScenarioCall, path: PartPath) => {
    const found = operationOf(call);
    const params = found === null ? ['id'] : pathParamsOf(found.row);
    for (const param of ['id', 'delivery_id'] as const) {
      if (params.includes(param) && call[param] === undefined) {
        add([...path, 'call'], `${call.call} needs ${param}.`);
      } else if (!params.includes(param) && call[param] !== undefined) {
        add([...path, param], `${call.call} takes no ${param}.`);
      }
    }
    checkReferences([call.id, call.delivery_id], path);
    checkReferences(call.with, [...path, 'with']);
    if (found !== null) {
      errors.push(...checkFields(found.row, call, [...path, 'with']));
    }
  };

  const checkStep = (step: ScenarioStep, path: PartPath) => {
    if ('call' in step) {
      checkCall(step, path);
      name(step.as, schemaOfAnswer(step));
    } else if ('advance' in step) {
      const seconds = parseDurationSeconds(step.advance);
      if (seconds < 1 || seconds > ADVANCE_SECONDS_MAX) {
        add([...path, 'advance'], `advance must be 1s to ${ADVANCE_SECONDS_MAX}s.`);
      }
    } else if ('simulate' in step) {
      const resource = simulatedIn(step.simulate);
      checkReferences(step.simulate, [...path, 'simulate']);
      if (step.as !== undefined && (resource === 'payment' || resource === 'refund')) {
        add([...path, 'as'], `the outcome of a ${resource} has no name, for weather may hold it back.`);
      }
      name(step.as, v.object({ id: v.string(), ...fieldsIn(SIMULATED[resource].success.schema) }));
    } else if ('expect' in step) {
      const { from, sink, ...expected } = step.expect as {
        from?: ScenarioStep & ScenarioCall;
        sink?: string;
      };
      checkReferences(expected, [...path, 'expect']);
      if (from !== undefined) {
        checkStep(from, [...path, 'expect', 'from']);
      }
      if (sink !== undefined && !sinks.includes(sink)) {
        add([...path, 'expect', 'sink'], withNearest(`${sink} is not a sink of given.sinks`, sink, sinks));
      }
    } else if ('exam' in step) {
      checkReferences(step.exam, [...path, 'exam']);
      name(step.as, paymentOperations.getPayment.success.schema);
    } else {
      checkSteps(step.repeat.steps, [...path, 'repeat', 'steps']);
    }
  };
  const name = (as: string | undefined, schema: AnswerSchema) => {
    if (as !== undefined) {
      names.set(as, schema);
    }
  };
  const checkSteps = (inner: readonly ScenarioStep[], path: PartPath) => {
    for (const [index, step] of inner.entries()) {
      checkStep(step, [...path, index]);
    }
  };
  checkSteps(steps, ['steps']);
  return errors;
}

function schemaOfAnswer(call: ScenarioCall): AnswerSchema {
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
  schema: AnswerSchema,
  [field, ...rest]: readonly string[],
): { readonly field: string; readonly known: string[] } | null {
  const fields = fieldsIn(schema);
  if (field === undefined || fields === undefined) {
    return null;
  }
  const inner = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return inner === undefined ? { field, known: Object.keys(fields) } : unknownIn(inner, rest);
}
