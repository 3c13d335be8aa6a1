import { pathParamsOf } from '../../shared/contract/operation.ts';
import type {
  ScenarioCall,
  ScenarioFields,
  ScenarioSimulation,
} from '../../shared/contract/testkit/scenarios.ts';
import { parseDurationSeconds } from '../terminal/duration.ts';
import { NamedResults } from './named-results.ts';
import { payByLink } from './pay-by-link.ts';
import { operationOf } from './scenario-calls.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import { simulateOutcome } from './simulate-outcome.ts';

/** A step that calls the API. */
export type CallingStep = ScenarioCall | ScenarioSimulation | { readonly advance: string };

/** Makes the calls of steps, and keeps what they return by the names that the steps give. */
export class StepCalls {
  readonly results: NamedResults;
  readonly #world: ScenarioWorld;

  constructor(world: ScenarioWorld) {
    this.#world = world;
    this.results = new NamedResults(world.sinks);
  }

  /** @throws ProblemError if the service refuses the call */
  async play(step: CallingStep): Promise<ScenarioFields> {
    if ('advance' in step) {
      await this.#world.client.advanceClock({ seconds: parseDurationSeconds(step.advance) });
      await this.#world.runDue();
      return {};
    }
    const result = await ('call' in step
      ? this.#call(step)
      : this.simulate(this.results.resolve(step.simulate) as ScenarioFields));
    this.results.keep(step.as, result);
    return result;
  }

  /** Reports an outcome. @throws ProblemError if the service refuses it */
  async simulate(outcome: ScenarioFields): Promise<ScenarioFields> {
    const result = await simulateOutcome(this.#world.client, outcome);
    await this.#world.runDue();
    return result;
  }

  async #call(step: ScenarioCall): Promise<ScenarioFields> {
    const { client, runDue } = this.#world;
    const found = operationOf(step);
    const fields = this.results.resolve(step.with) as ScenarioFields | undefined;
    const idOf = (param: 'id' | 'delivery_id') => String(this.results.resolve(step[param]));
    if (found === null) {
      const payment = await payByLink(this.#world, idOf('id'), fields ?? {});
      await runDue();
      return payment;
    }
    const ids = pathParamsOf(found.row).map((param) => idOf(param as 'id' | 'delivery_id'));
    const method = client[found.name] as (...args: unknown[]) => PromiseLike<object>;
    const result = await method(...ids, ...(fields === undefined ? [] : [fields]));
    if (found.row.idempotent) {
      await runDue();
    }
    return { ...result };
  }
}
