import { ProblemError } from '../../shared/client/call-error.ts';
import {
  PROVIDER_WEATHER,
  type ScenarioFields,
  type ScenarioSimulation,
  type ScenarioWeather,
} from '../../shared/contract/testkit/scenarios.ts';
import { simulatedIn } from './scenario-calls.ts';
import type { StepCalls } from './step-calls.ts';
import { describeStep } from './story.ts';
import { lateSeconds, strikeOf } from './weather.ts';

/** An outcome that is held back until after the next one. */
interface HeldOutcome {
  readonly step: ScenarioSimulation;
  /** Reports it now. @returns what happened, for the story */
  readonly report: () => Promise<string>;
}

/** Plays the outcomes of a provider, and what happens to them on their way. */
export class WeatheredProvider {
  readonly #shares: NonNullable<ScenarioWeather['provider']>;
  readonly #seed: number;
  readonly #calls: StepCalls;
  readonly #occurrences = new Map<string, number>();
  readonly #struck = new Set<string>();
  readonly #held: HeldOutcome[] = [];
  #duplicates = 0;

  constructor(weather: ScenarioWeather = {}, seed: number, calls: StepCalls) {
    this.#shares = weather.provider ?? {};
    this.#seed = seed;
    this.#calls = calls;
  }

  /** The outcomes that are still held back, which then are no longer held. */
  takeHeld(): readonly HeldOutcome[] {
    return this.#held.splice(0);
  }

  /** @returns what happened, for the story @throws ProblemError if the service refuses an outcome that nothing struck */
  async simulate(step: ScenarioSimulation): Promise<string> {
    const before = this.takeHeld();
    const said = [await this.#simulate(step)];
    for (const { report } of before) {
      said.push(await report());
    }
    return said.join('; ');
  }

  async #simulate(step: ScenarioSimulation): Promise<string> {
    const resource = simulatedIn(step.simulate);
    const kinds = PROVIDER_WEATHER.filter((kind) => kind !== 'mismatch' || resource === 'payment');
    const key = this.#diceKey(step);
    const isWeathered = resource === 'payment' || resource === 'refund';
    const strike = isWeathered ? strikeOf(kinds, this.#shares, this.#seed, key) : null;
    const outcome = this.#calls.results.resolve(step.simulate) as ScenarioFields;
    const subject = String(outcome[resource]);
    if (strike === null) {
      return this.#struck.has(subject)
        ? this.#reportLoosely(outcome)
        : String((await this.#calls.play(step)).outcome);
    }
    this.#struck.add(subject);
    return this.#reportStruck(strike, step, outcome, key);
  }

  async #reportStruck(
    strike: (typeof PROVIDER_WEATHER)[number],
    step: ScenarioSimulation,
    outcome: ScenarioFields,
    key: string,
  ): Promise<string> {
    switch (strike) {
      case 'silent':
        return 'never comes';
      case 'reorder':
        this.#held.push({
          step,
          report: async () => `${describeStep(step)} comes now: ${await this.#reportLoosely(outcome)}`,
        });
        return 'comes after the next';
      case 'mismatch': {
        const { amount: _, ...rest } = outcome;
        return `${await this.#reportLoosely({ ...rest, outcome: 'mismatch' })}, of another amount`;
      }
      case 'late': {
        const delay_seconds = lateSeconds(this.#seed, key, Number(outcome.delay_seconds ?? 0));
        return `${await this.#reportLoosely({ ...outcome, delay_seconds })}, ${delay_seconds} s late`;
      }
      case 'duplicate': {
        this.#duplicates += 1;
        const twice = { event_id: `twice-${this.#seed}-${this.#duplicates}`, ...outcome };
        return `${await this.#reportLoosely(twice)}, and again: ${await this.#reportLoosely(twice)}`;
      }
    }
  }

  /** An outcome that comes too late for its subject changes nothing: the provider is told so. */
  async #reportLoosely(outcome: ScenarioFields): Promise<string> {
    try {
      return String((await this.#calls.simulate(outcome)).outcome);
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'invalid_state') {
        return 'refused: invalid_state';
      }
      throw error;
    }
  }

  /** A step that is repeated has other dice each time. */
  #diceKey(step: ScenarioSimulation): string {
    const content = JSON.stringify(step);
    const count = (this.#occurrences.get(content) ?? 0) + 1;
    this.#occurrences.set(content, count);
    return `${content} ${count}`;
  }
}
