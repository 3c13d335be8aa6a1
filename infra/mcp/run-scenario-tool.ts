import * as v from 'valibot';
import { readScenario, type ScenarioSource } from '../scenario/read-scenario.ts';
import { runScenario } from '../scenario/run-scenario.ts';
import type { ScenarioFailure } from '../scenario/scenario-failure.ts';
import { describeStep } from '../scenario/story.ts';
import { kitTool } from './kit-tool.ts';
import { seedArgument } from './seed-argument.ts';

/** What errors call the text, which is in no file. */
const FILE = 'scenario.yaml';

const EXAMPLE = `name: late money is kept
steps:
  - call: payments.create
    with: { amount: { currency: THB, minor: 129900 }, method: promptpay }
    as: order
  - advance: 20m
  - simulate: { payment: $order, outcome: succeeded }
  - expect: { payment: $order, status: succeeded, late: true }
  - expect: { event: payment.succeeded, of: $order, times: 1 }
`;

export const RUN_SCENARIO = kitTool({
  name: 'runScenario',
  title: 'Run a scenario',
  description:
    'Run a scenario, as `pg scenario run` does. It plays the steps in a test world of its own, which is deleted afterwards, and returns the verdict (`passed` or `failed`), the story of what happened, and of a failed step its line, what was expected and what was. A text with a mistake is refused with line and column, and nothing runs. payments://guides/scenarios explains steps, laws and weather.',
  takes: v.strictObject({
    scenario: v.pipe(v.string(), v.description(`The scenario in YAML. An example:\n${EXAMPLE}`)),
    seed: seedArgument,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  run: async ({ client, baseUrl }, { scenario: text, seed }, { signal }) => {
    const source = readScenario(text, FILE);
    const { scenario, lineOf } = source;
    const { failure, story } = await runScenario({ client, baseUrl, signal }, scenario, seed, lineOf);
    const verdict = failure === null ? 'passed' : 'failed';
    const failed = failure === null ? null : failedStepOf(source, failure);
    return { data: { name: scenario.name, seed, verdict, failed_step: failed, story } };
  },
});

function failedStepOf({ lineOf }: ScenarioSource, { step, expected, actual }: ScenarioFailure) {
  return { line: lineOf(step), step: describeStep(step), expected, actual };
}
