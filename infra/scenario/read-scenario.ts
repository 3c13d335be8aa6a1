import * as v from 'valibot';
import { LineCounter, parseAllDocuments, visit } from 'yaml';
import type { Scenario, ScenarioStep } from '../../shared/contract/testkit/scenarios.ts';
import { scenarioSchema } from '../../shared/contract/testkit/scenarios.ts';
import { checkNames } from './check-names.ts';
import { explainIssues, type PartError } from './explain-issues.ts';
import {
  type FilePosition,
  type ParsedDocument,
  type PartPath,
  positionAt,
  positionOf,
} from './positions.ts';

const PARTS_MAX = 50_000;
const DEPTH_MAX = 64;
const NESTED = 'is nested too deeply.';
/** What the parser says where a file is nested so deeply that its calls are. */
const STACK = /call stack/;
/** YAML 1.2 without tags of its own. */
const YAML = { schema: 'core', resolveKnownTags: false, prettyErrors: false, logLevel: 'error' } as const;

type Positions = (path: PartPath) => FilePosition;

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
    const located = errors.map(({ path, text }) => ({ ...positions(path), text }));
    throw new ScenarioFileError(
      file,
      located.toSorted((a, b) => a.line - b.line || a.column - b.column),
    );
  }
  const lines = new Map(linesOf(scenario.steps, ['steps'], positions));
  return { file, scenario, lineOf: (step) => lines.get(step) ?? 0 };
}

function parseYaml(text: string, file: string): { readonly value: unknown; readonly positions: Positions } {
  const lines = new LineCounter();
  const refuse = (position: FilePosition, fault: string) =>
    new ScenarioFileError(file, [{ ...position, text: fault }]);
  const documents = parseAllDocuments<ParsedDocument['contents'] & {}>(text, { ...YAML, lineCounter: lines });
  const [document] = documents;
  if (document === undefined || documents.length > 1) {
    throw refuse({ line: 1, column: 1 }, `has ${documents.length} documents: a scenario is one`);
  }
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    throw refuse(positionAt(error.pos[0], lines), STACK.test(error.message) ? NESTED : error.message);
  }
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) === undefined) {
        throw refuse(positionAt(alias.range?.[0] ?? 0, lines), `There is no anchor ${alias.source}`);
      }
    },
  });
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const positions: Positions = (path) => positionOf(path, document, lines);
  const fault = faultIn(value);
  if (fault !== null) {
    throw refuse(positions(fault.path), fault.text);
  }
  return { value, positions };
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
    const own: [ScenarioStep, number] = [step, positions(at).line];
    return 'repeat' in step
      ? [own, ...linesOf(step.repeat.steps, [...at, 'repeat', 'steps'], positions)]
      : [own];
  });
}
