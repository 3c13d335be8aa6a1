import { buildExamSchema } from './exam-json-schema.ts';
import { buildScenarioSchema } from './scenario-json-schema.ts';

/** The published JSON Schemas by name: `/schemas/scenario.json` is in the repository as `shared/scenario.schema.json`. */
export const JSON_SCHEMAS = {
  scenario: buildScenarioSchema,
  exam: buildExamSchema,
} as const satisfies Readonly<Record<string, () => object>>;
