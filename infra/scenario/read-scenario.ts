import { CORE_SCHEMA, constructFromEvents, parseEvents, YAMLException } from 'js-yaml';
import * as v from 'valibot';
import type { Scenario, ScenarioStep } from '../../shared/contract/testkit/scenarios.ts';
import { scenarioSchema } from '../../shared/contract/testkit/scenarios.ts';
import { checkNames } from './check-names.ts';
import { explainIssues, type PartError } from './explain-issues.ts';
import { type PartPath, type Positions, positionAt, positionsIn } from './positions.ts';

const PARTS_MAX = 50_000;
const DEPTH_MAX = 64;
const NESTED = 'is nested too deeply.';

/** A scenario, and where its steps stand in its file. */
export interface ScenarioSource {
  readonly file: string;
  readonly scenario: Scenario;
  /** The line of a step; 0 for one that is in no file. */
  readonly lineOf: (step: ScenarioStep) => number;
}

/** A file that is no scenario: every error with its line and column. */
export class ScenarioFileError extends Error {
  constructor(file: string, errors: readonly { line: number; column: number; text: string }[]) {
    super(errors.map(({ line, column, text }) => `${file}:${line}:${column}: ${text}`).join('\n'));
    this.name = 'ScenarioFileError';
  }
}

/**
 * Reads a scenario file, and checks everything that can be checked before a world is made.
 * @param text of the file
 * @param file its name, for messages
 * @throws ScenarioFileError
 */
export function readScenario(text: string, file: string): ScenarioSource {
  const { value, positions } = parseYaml(text, file);
  const parsed = v.safeParse(scenarioSchema, value);
  const scenario = value as Scenario;
  const errors: readonly PartError[] = parsed.success
    ? checkNames(scenario)
    : explainIssues(scenarioSchema, parsed.issues, value);
  if (errors.length > 0) {
    const placed = errors.map(({ path, text }) => ({ ...positions.of(path), text }));
    throw new ScenarioFileError(
      file,
      placed.toSorted((a, b) => a.line - b.line || a.column - b.column),
    );
  }
  const lines = new Map(linesOf(scenario.steps, ['steps'], positions));
  return { file, scenario, lineOf: (step) => lines.get(step) ?? 0 };
}

function parseYaml(text: string, file: string): { readonly value: unknown; readonly positions: Positions } {
  try {
    const events = parseEvents(text, {});
    const documents = constructFromEvents(events, { source: text, schema: CORE_SCHEMA });
    if (documents.length !== 1) {
      throw new ScenarioFileError(file, [
        { ...positionAt(text, 0), text: `has ${documents.length} documents: a scenario is one` },
      ]);
    }
    const [value] = documents;
    const positions = positionsIn(text, events);
    const fault = faultIn(value);
    if (fault !== null) {
      throw new ScenarioFileError(file, [{ ...positions.of(fault.path), text: fault.text }]);
    }
    return { value, positions };
  } catch (error) {
    if (error instanceof YAMLException) {
      const { line = 0, column = 0 } = error.mark ?? {};
      throw new ScenarioFileError(file, [{ line: line + 1, column: column + 1, text: error.reason }]);
    }
    if (error instanceof RangeError) {
      throw new ScenarioFileError(file, [{ ...positionAt(text, 0), text: NESTED }]);
    }
    throw error;
  }
}

/** What aliases can make of a file: a value that contains itself, or one that is far greater than the file. */
function faultIn(value: unknown): PartError | null {
  const around = new Set<unknown>();
  let count = 0;
  const look = (part: unknown, path: PartPath): PartError | null => {
    count += 1;
    if (count > PARTS_MAX) {
      return { path, text: `has more than ${PARTS_MAX} parts, with all aliases in their places.` };
    }
    if (typeof part !== 'object' || part === null) {
      return null;
    }
    if (around.has(part)) {
      return { path, text: 'is an alias that contains itself.' };
    }
    if (path.length > DEPTH_MAX) {
      return { path, text: NESTED };
    }
    around.add(part);
    for (const [key, inner] of Object.entries(part)) {
      const fault = look(inner, [...path, key]);
      if (fault !== null) {
        return fault;
      }
    }
    around.delete(part);
    return null;
  };
  return look(value, []);
}

function linesOf(
  steps: readonly ScenarioStep[],
  path: PartPath,
  positions: Positions,
): [ScenarioStep, number][] {
  return steps.flatMap((step, index) => {
    const at = [...path, index];
    const own: [ScenarioStep, number] = [step, positions.of(at).line];
    return 'repeat' in step
      ? [own, ...linesOf(step.repeat.steps, [...at, 'repeat', 'steps'], positions)]
      : [own];
  });
}
