import type { ScenarioStep } from '../../shared/contract/testkit/scenarios.ts';

/** What a scenario found: a step that did not do what it says, or a law that did not hold after it. */
export class ScenarioFailure extends Error {
  readonly step: ScenarioStep;
  readonly expected: string;
  readonly actual: string;
  /** The same of two failures that are of one kind, wherever they happen. */
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
