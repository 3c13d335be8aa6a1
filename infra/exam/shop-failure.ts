import type { ScenarioStep } from '../../shared/contract/testkit/scenarios.ts';
import { ScenarioFailure } from '../scenario/scenario-failure.ts';
import type { MustAnswer } from './manners.ts';
import type { ProbeDifference } from './order-book.ts';

/** What a shop did wrong, as far as two failures for one reason have it in common. */
export type Finding =
  | {
      readonly at: 'answer';
      readonly must: MustAnswer;
      readonly status: number | null;
      readonly type: string;
    }
  | { readonly at: 'probe'; readonly field: ProbeDifference['field']; readonly isTooMuch: boolean }
  | { readonly at: 'address'; readonly said: string };

/** A step of the exam at which the shop did not do what it must. */
export class ShopFailure extends ScenarioFailure {
  readonly finding: Finding;

  constructor(
    step: ScenarioStep,
    kind: string,
    {
      finding,
      expected,
      actual,
    }: Pick<ScenarioFailure, 'expected' | 'actual'> & { readonly finding: Finding },
  ) {
    super(step, kind, expected, actual);
    this.name = 'ShopFailure';
    this.finding = finding;
  }
}
