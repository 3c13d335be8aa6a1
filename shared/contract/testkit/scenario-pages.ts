import { type Operation, PUBLIC } from '../operation.ts';

/** What editors read to check scenario files (contract §16). */
export const scenarioPageOperations = {
  getScenarioSchema: {
    ...PUBLIC,
    id: 'testkit.GetScenarioSchema',
    path: '/schemas/scenario.json',
    success: { status: 200, contentType: 'application/json' },
  },
} as const satisfies Record<string, Operation>;
