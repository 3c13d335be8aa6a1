import { dump } from 'js-yaml';
import type { Scenario } from '../../shared/contract/testkit/scenarios.ts';

/** From this depth on, a value stands in one line: `with: {amount: {currency: THB, minor: 100}}`. */
const FLOW_LEVEL = 3;
const LINE_WIDTH = 110;

/** A scenario as a file, with a comment of one line at its top. */
export function printScenario(scenario: Scenario, comment: string): string {
  const yaml = dump(scenario, { flowLevel: FLOW_LEVEL, lineWidth: LINE_WIDTH, noRefs: true });
  return `# ${comment}\n${yaml}`;
}
