import { toJsonSchema } from '@valibot/to-json-schema';
import { EXAM_DEFINITIONS, examReportSchema } from './exam-report.ts';

/** The JSON Schema of exam reports, for programs that read them (contract §19). */
export function buildExamSchema(): object {
  const schema = toJsonSchema(examReportSchema, {
    target: 'draft-2020-12',
    errorMode: 'throw',
    definitions: EXAM_DEFINITIONS,
  });
  return { ...schema, title: 'The report of an exam' };
}
