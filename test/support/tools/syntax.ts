import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

/** A node of the syntax tree, with the fields that the tests of the code read. */
export interface SyntaxNode {
  readonly type?: string;
  readonly value?: unknown;
  /** In bytes of all that was parsed. */
  readonly span?: { readonly start: number; readonly end: number };
  readonly typeOnly?: boolean;
  readonly source?: SyntaxNode;
  readonly specifiers?: readonly SyntaxNode[];
  readonly local?: SyntaxNode;
  readonly imported?: SyntaxNode | null;
  readonly declaration?: SyntaxNode;
  readonly declarations?: readonly SyntaxNode[];
  readonly identifier?: SyntaxNode;
  readonly id?: SyntaxNode;
  readonly key?: SyntaxNode;
  readonly property?: SyntaxNode;
  readonly callee?: SyntaxNode;
  readonly object?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
  readonly expression?: SyntaxNode;
  /** The text of a part of a template. */
  readonly cooked?: string;
  readonly quasis?: readonly { readonly cooked: string }[];
}

/** The statements of a file. */
export function parseFile(file: string): readonly SyntaxNode[] {
  const text = readFileSync(file, 'utf8');
  const { body } = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('.tsx'), target: 'es2022' });
  return body as readonly SyntaxNode[];
}

/** How many lines each statement of a file has, the last of which ends the file. */
export function linesOf(file: string, statements: readonly SyntaxNode[]): readonly number[] {
  const text = Buffer.from(readFileSync(file, 'utf8').trimEnd());
  const beginning = (statements.at(-1)?.span?.end ?? 0) - text.length;
  return statements.map(({ span = { start: 0, end: 0 } }) => {
    const lines = text
      .subarray(span.start - beginning, span.end - beginning)
      .toString()
      .split('\n');
    return lines.length;
  });
}

/** `test` of `test.each(rows)(…)`. */
export function rootOf({ type, value, object, callee, expression }: SyntaxNode = {}): string {
  const inner = object ?? callee ?? expression;
  return type === 'Identifier' || inner === undefined ? String(value) : rootOf(inner);
}

/** Every node of a part of a file, as the parser gives them. */
export function* nodesIn(part: unknown): Generator<SyntaxNode> {
  if (Array.isArray(part)) {
    for (const one of part) {
      yield* nodesIn(one);
    }
  } else if (typeof part === 'object' && part !== null) {
    yield part;
    for (const one of Object.values(part)) {
      yield* nodesIn(one);
    }
  }
}
