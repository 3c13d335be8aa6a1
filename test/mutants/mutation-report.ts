/** What is read of Stryker's report, whose schema is that of mutation-testing-elements. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: string;
  readonly replacement: string;
  /** Lines and columns are counted from 1; the end is after the last character. */
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Mutants of one file that no test can tell from the code, and why. */
export interface Survivors {
  readonly file: string;
  /** Each as `original → replacement`, named once for each time that it survives. */
  readonly mutants: readonly string[];
  readonly why: string;
}

/** A mutant that survived. */
export interface Survivor {
  readonly file: string;
  readonly line: number;
  /** `original → replacement`. */
  readonly mutant: string;
}

const SHOWN_MAX_CHARS = 70;

/** How many mutants the tests have detected, of how many. One that cannot be run counts as neither. */
export function scoreOf({ files }: MutationReport): { readonly detected: number; readonly all: number } {
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  const detected = mutants.filter((mutant) => isKilled(mutant) || mutant.status === 'Timeout').length;
  return { detected, all: detected + mutants.filter(hasSurvived).length };
}

/** A test fails on it. */
export function isKilled({ status }: Mutant): boolean {
  return status === 'Killed';
}

/** No test fails on it, or none runs it. */
function hasSurvived({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}

export function survivorsOf({ files }: MutationReport): Survivor[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.filter(hasSurvived).map(({ location, replacement }) => ({
      file,
      line: location.start.line,
      mutant: `${shorten(textAt(source, location))} → ${shorten(replacement)}`,
    })),
  );
}

/**
 * Compares what survived with what is explained.
 * @returns the survivors without an explanation, and the explained ones that did not survive
 */
export function compareSurvivors(found: readonly Survivor[], explained: readonly Survivors[]) {
  const keyOf = ({ file, mutant }: Pick<Survivor, 'file' | 'mutant'>) => `${file}: ${mutant}`;
  const left = explained.flatMap(({ file, mutants }) => mutants.map((mutant) => keyOf({ file, mutant })));
  const unexplained = found.filter((survivor) => {
    const index = left.indexOf(keyOf(survivor));
    if (index !== -1) {
      left.splice(index, 1);
    }
    return index === -1;
  });
  return { unexplained, gone: left };
}

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const restChars = (lines.at(-1) ?? '').length - (end.column - 1);
  const text = lines.join('\n');
  return text.slice(start.column - 1, text.length - restChars);
}

/** A piece of code on one line, or the start of it. */
function shorten(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > SHOWN_MAX_CHARS ? `${line.slice(0, SHOWN_MAX_CHARS)}…` : line;
}
