import { ProblemError } from '../../shared/client/call-error.ts';
import type { ScenarioStep } from '../../shared/contract/testkit/scenarios.ts';
import { describeStep } from './story.ts';

/** What a scenario found: a step that did not do what it says, or a law that did not hold after it. */
export class ScenarioFailure extends Error {
  readonly step: ScenarioStep;
  readonly expected: string;
  readonly actual: string;
  /** Two failures of one kind have the same, wherever they happen. */
  readonly kind: string;

  constructor(step: ScenarioStep, kind: string, expected: string, actual: string) {
    super(`expected ${expected}, but ${actual}`);
    this.name = 'ScenarioFailure';
    this.step = step;
    this.kind = kind;
    this.expected = expected;
    this.actual = actual;
  }
}

/** A refusal that nobody expected is a finding. Any other error stays what it is. */
export function failureOf(step: ScenarioStep, error: unknown): unknown {
  return error instanceof ProblemError
    ? new ScenarioFailure(
        step,
        `${describeStep(step)} refused ${error.code}`,
        `${describeStep(step)} to be accepted`,
        `it was refused: ${error.code}. ${error.detail}`,
      )
    : error;
}
