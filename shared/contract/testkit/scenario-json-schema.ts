import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import { OR_REFERENCE, REFERENCE, SCENARIO_DEFINITIONS, scenarioSchema } from './scenarios.ts';

const REFERENCE_DEFINITION = {
  description: 'The id of what an earlier step named, or in braces a field of it.',
  type: 'string',
  pattern: REFERENCE.source,
};
const [MARK] = Object.keys(OR_REFERENCE);

/** The JSON Schema of scenario files, for editors (contract §16). */
export function buildScenarioSchema(): object {
  const converted = toJsonSchema(scenarioSchema, {
    target: 'draft-2020-12',
    errorMode: 'throw',
    ignoreActions: ['check', 'partial_check', 'raw_check', 'finite', 'transform'],
    definitions: SCENARIO_DEFINITIONS,
  });
  const { $defs, ...schema } = withReferences(converted) as JsonSchema & { $defs: object };
  return {
    ...schema,
    title: 'A scenario',
    $defs: { ...$defs, Reference: REFERENCE_DEFINITION },
  };
}

/** Lets a reference stand instead of each value that is marked so. */
function withReferences(part: unknown): unknown {
  if (Array.isArray(part)) {
    return part.map(withReferences);
  }
  if (typeof part !== 'object' || part === null) {
    return part;
  }
  const entries = Object.entries(part)
    .filter(([key]) => key !== MARK && key !== 'component')
    .map(([key, value]) => [key, withReferences(value)]);
  const plain = Object.fromEntries(entries);
  return MARK !== undefined && MARK in part ? { anyOf: [plain, { $ref: '#/$defs/Reference' }] } : plain;
}
