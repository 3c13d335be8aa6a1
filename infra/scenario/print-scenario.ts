import { Document, isCollection, visit } from 'yaml';
import type { Scenario } from '../../shared/contract/testkit/scenarios.ts';

/** From this depth on, a value stands in one line: `with: {amount: {currency: THB, minor: 100}}`. */
const FLOW_LEVEL = 3;
const STYLE = { lineWidth: 110, indentSeq: true, flowCollectionPadding: false };

/** A scenario as a file, with a comment of one line at its top. */
export function printScenario(scenario: Scenario, comment: string): string {
  const document = new Document(scenario, { aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_, collection, around) => {
      collection.flow = around.filter(isCollection).length >= FLOW_LEVEL;
    },
  });
  return `# ${comment}\n${document.toString(STYLE)}`;
}
