import { buildScenarioSchema } from '../shared/contract/testkit/scenario-json-schema.ts';
import { scenarioPageOperations } from '../shared/contract/testkit/scenario-pages.ts';
import { servePage } from '../shared/http/serve-page.ts';

/** Editors and pages of any origin may read it. */
const FOR_EVERY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

/** The JSON Schema of scenario files, made from the schema that reads them. */
export const handler = servePage(
  scenarioPageOperations.getScenarioSchema,
  async () => JSON.stringify(buildScenarioSchema()),
  FOR_EVERY_ORIGIN,
);
