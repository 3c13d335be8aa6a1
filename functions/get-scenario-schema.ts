import { buildScenarioSchema } from '../shared/contract/testkit/scenario-json-schema.ts';
import { scenarioPageOperations } from '../shared/contract/testkit/scenario-pages.ts';
import { servePage } from '../shared/http/serve-page.ts';

/** The JSON Schema of scenario files, made from the schema that reads them. */
export const handler = servePage(scenarioPageOperations.getScenarioSchema, async () =>
  JSON.stringify(buildScenarioSchema()),
);
