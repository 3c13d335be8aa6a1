export const schemaPageDocs = {
  operations: {
    getScenarioSchema: [
      'Retrieve the JSON Schema of scenario files',
      'Editors check and complete scenario files by it: every step, expectation, law and kind of weather.',
    ],
    getExamSchema: [
      'Retrieve the JSON Schema of exam reports',
      'Programs read the reports of the exam by it: the verdict of each question, and of a failed one what was expected, what was found and the webhooks that were sent.',
    ],
  },
} as const;
