import { type Operation, PUBLIC } from '../operation.ts';

const JSON_SCHEMA = { ...PUBLIC, success: { status: 200, contentType: 'application/json' } } as const;

/** The JSON Schemas of files of the test kit: what people write (contract §16), and what the exam reports (contract §19). */
export const schemaPageOperations = {
  getScenarioSchema: { ...JSON_SCHEMA, id: 'testkit.GetScenarioSchema', path: '/schemas/scenario.json' },
  getExamSchema: { ...JSON_SCHEMA, id: 'testkit.GetExamSchema', path: '/schemas/exam.json' },
} as const satisfies Record<string, Operation>;
