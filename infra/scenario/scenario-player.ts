import { ProblemError } from '../../shared/client/call-error.ts';
import type {
  Scenario,
  ScenarioFields,
  ScenarioSimulation,
  ScenarioStep,
} from '../../shared/contract/testkit/scenarios.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { EXPECTATIONS } from './expectations.ts';
import { lawsOf } from './laws.ts';
import type { ScenarioSource } from './read-scenario.ts';
import { failureOf, ScenarioFailure } from './scenario-failure.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import { StepCalls } from './step-calls.ts';
import { describeStep, storyOfEvents } from './story.ts';
import { waitUntil } from './wait-until.ts';
import { WeatheredProvider } from './weathered-provider.ts';

/** All that is due has happened when a law is checked: only a list may lag behind. */
const LAW_PATIENCE_MS = 1_000;

type StepWith<Key extends string> = Extract<ScenarioStep, { readonly [Each in Key]: unknown }>;
type RefusedStep = StepWith<'call'> | ScenarioSimulation;

/** What became of a scenario. */
export interface PlayedScenario {
  /** What happened, line by line: the same for one scenario and one seed. */
  readonly story: readonly string[];
  readonly failure: ScenarioFailure | null;
}

/**
 * Plays the steps of a scenario in its world: steps become calls, weather is what happens to outcomes on their way, and
 * laws are checked after each step.
 */
export class ScenarioPlayer {
  readonly #scenario: Scenario;
  readonly #world: ScenarioWorld;
  readonly #lineOf: ScenarioSource['lineOf'];
  readonly #laws: ReturnType<typeof lawsOf>;
  readonly #calls: StepCalls;
  readonly #provider: WeatheredProvider;
  readonly #story: string[] = [];

  /** @param lineOf the line of a step in its file, for the story */
  constructor(scenario: Scenario, world: ScenarioWorld, seed: number, lineOf: ScenarioSource['lineOf']) {
    this.#scenario = scenario;
    this.#world = world;
    this.#lineOf = lineOf;
    this.#laws = lawsOf(world.client, world.sinks);
    this.#calls = new StepCalls(world);
    this.#provider = new WeatheredProvider(scenario.weather, seed, this.#calls);
  }

  /** @throws ConnectionError if the service is not there: that is no finding; the reason of the signal of the world */
  async play(): Promise<PlayedScenario> {
    try {
      await this.#playSteps(this.#scenario.steps, '');
      for (const { step, report } of this.#provider.takeHeld()) {
        this.#tell(step, await report());
        await this.#checkLaws(step);
      }
      this.#story.push(...(await storyOfEvents(this.#world, this.#calls.results.names)).map(cleanLine));
      return { story: this.#story, failure: null };
    } catch (error) {
      if (error instanceof ScenarioFailure) {
        this.#tell(error.step, `${describeStep(error.step)} → FAILED: ${error.message}`);
        return { story: this.#story, failure: error };
      }
      throw error;
    }
  }

  #tell(step: ScenarioStep, text: string): void {
    this.#story.push(cleanLine(`${String(this.#lineOf(step)).padStart(4)}  ${text}`));
  }

  async #playSteps(steps: readonly ScenarioStep[], indent: string): Promise<void> {
    for (const step of steps) {
      this.#world.signal?.throwIfAborted();
      if ('repeat' in step) {
        await this.#repeat(step, indent);
        continue;
      }
      const said = await this.#play(step).catch((error: unknown) => {
        throw failureOf(step, error);
      });
      this.#tell(step, `${indent}${describeStep(step)} → ${said}`);
      await this.#checkLaws(step);
    }
  }

  async #repeat(step: StepWith<'repeat'>, indent: string): Promise<void> {
    const { times, steps } = step.repeat;
    for (let time = 1; time <= times; time += 1) {
      this.#tell(step, `${indent}time ${time} of ${times}`);
      await this.#playSteps(steps, `${indent}  `);
    }
  }

  /** @returns what happened, for the story */
  async #play(step: Exclude<ScenarioStep, StepWith<'repeat'>>): Promise<string> {
    if ('simulate' in step) {
      return this.#provider.simulate(step);
    }
    if ('expect' in step) {
      await this.#expect(step);
      return 'holds';
    }
    const { status } = await this.#calls.play(step);
    return typeof status === 'string' ? status : 'done';
  }

  async #expect(step: StepWith<'expect'>): Promise<void> {
    const { problem, from } = step.expect as {
      problem?: string;
      from?: StepWith<'call'> | ScenarioSimulation;
    };
    if (problem !== undefined && from !== undefined) {
      await this.#expectProblem(step, problem, from);
      return;
    }
    const [, check] = Object.entries(EXPECTATIONS).find(([key]) => key in step.expect) ?? [];
    const expected = this.#calls.results.resolve(step.expect) as ScenarioFields;
    const difference = await waitUntil(
      async () => (await check?.(this.#world, expected)) ?? null,
      this.#world.eventTimeoutMs,
    );
    if (difference !== null) {
      throw new ScenarioFailure(step, describeStep(step), difference.expected, difference.actual);
    }
  }

  async #expectProblem(step: ScenarioStep, code: string, from: RefusedStep): Promise<void> {
    let actual = 'it was not refused';
    try {
      await this.#calls.play(from);
    } catch (error) {
      if (!(error instanceof ProblemError)) {
        throw error;
      }
      if (error.code === code) {
        return;
      }
      actual = `it was refused: ${error.code}`;
    }
    const expected = `${describeStep(from)} to be refused: ${code}`;
    throw new ScenarioFailure(step, describeStep(step), expected, actual);
  }

  async #checkLaws(step: ScenarioStep): Promise<void> {
    const { eventTimeoutMs = LAW_PATIENCE_MS } = this.#world;
    const checked = (this.#scenario.always ?? []).map(async (law) => ({
      law,
      breach: await waitUntil(this.#laws[law], eventTimeoutMs),
    }));
    for (const { law, breach } of await Promise.all(checked)) {
      if (breach !== null) {
        throw new ScenarioFailure(step, `law ${law}`, `the law of ${law} after this step`, breach);
      }
    }
  }
}
