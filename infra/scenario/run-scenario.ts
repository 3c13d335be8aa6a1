import type { Scenario, ScenarioStep } from '../../shared/contract/testkit/scenarios.ts';
import { type PlayedScenario, ScenarioPlayer } from './scenario-player.ts';
import { openScenarioWorld, type ScenarioService } from './scenario-world.ts';

/**
 * Plays a scenario in a world of its own, which is deleted whatever happens.
 * @param lineOf the line of a step in its file, for the story
 */
export async function runScenario(
  service: ScenarioService,
  scenario: Scenario,
  seed: number,
  lineOf: (step: ScenarioStep) => number = () => 0,
): Promise<PlayedScenario> {
  const world = await openScenarioWorld(service, scenario, seed);
  try {
    return await new ScenarioPlayer(scenario, world, seed, lineOf).play();
  } finally {
    await world.end();
  }
}
