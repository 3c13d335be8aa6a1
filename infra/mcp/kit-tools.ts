import type { KitTool } from './kit-tool.ts';
import { RUN_EXAM } from './run-exam-tool.ts';
import { RUN_SCENARIO } from './run-scenario-tool.ts';
import { SHOW_STORY } from './show-story-tool.ts';

/** The tools that are no operation, by their names. */
export const KIT_TOOLS: ReadonlyMap<string, KitTool> = new Map(
  [RUN_SCENARIO, SHOW_STORY, RUN_EXAM].map((each) => [each.tool.name, each]),
);
