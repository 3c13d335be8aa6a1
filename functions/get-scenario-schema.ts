import { buildScenarioSchema } from '../shared/contract/testkit/scenario-json-schema.ts';
import { schemaPageOperations } from '../shared/contract/testkit/schema-pages.ts';
import { servePage } from '../shared/http/serve-page.ts';

/** The JSON Schema of scenario files, made from the schema that reads them. */
export const handler = servePage(schemaPageOperations.getScenarioSchema, async () =>
  JSON.stringify(buildScenarioSchema()),
);
