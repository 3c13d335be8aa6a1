export const scenarioPageDocs = {
  getScenarioSchema: [
    'Retrieve the JSON Schema of scenario files',
    'Editors check and complete scenario files by it: every step, expectation, law and kind of weather.',
  ],
} as const;
