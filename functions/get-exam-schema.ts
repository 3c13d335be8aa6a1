import { buildExamSchema } from '../shared/contract/testkit/exam-json-schema.ts';
import { schemaPageOperations } from '../shared/contract/testkit/schema-pages.ts';
import { servePage } from '../shared/http/serve-page.ts';

/** The JSON Schema of exam reports, made from the schema that types them. */
export const handler = servePage(schemaPageOperations.getExamSchema, async () =>
  JSON.stringify(buildExamSchema()),
);
