import { optionsOf } from '../terminal/options.ts';
import type { Command } from '../terminal/pg-command.ts';

const USAGE = `A scenario file has steps, expectations, weather and laws: the guide at /docs/scenarios shows one, and editors check it
  by the JSON Schema at /schemas/scenario.json. Each file runs in a test world of its own, which is deleted afterwards.

  Everything random comes from the seed: the same file and the same seed give the same story. With --runs, the seeds from
  --seed on are tried until one fails. Then the shortest list of steps and the least weather that still fail are searched,
  and printed, or saved as a new file with --save. So they are with --save for one seed.`;

export const SCENARIO_COMMAND: Command = {
  takes: '<FILE...>',
  options: optionsOf('seed', 'runs', 'save', 'junit', 'story', 'event-timeout'),
  says: 'Run scenario files, each in a test world of its own',
  more: USAGE,
  // Loaded here, since no other command needs it.
  run: async (run) => (await import('./run-scenarios.ts')).runScenarios(run),
};
