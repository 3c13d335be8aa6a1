import { type Document, isMap, isNode, isScalar, isSeq, type LineCounter, type ParsedNode } from 'yaml';

/** The keys and numbers that lead to a part of a file. */
export type PartPath = readonly (string | number)[];

/** Where something stands in a file, both from 1. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

export type ParsedDocument = Document.Parsed<ParsedNode>;

/** Where the key of a part begins, or the part itself where it has none. If it is missing, where its parent begins. */
export function positionOf(path: PartPath, { contents }: ParsedDocument, lines: LineCounter): FilePosition {
  let part: unknown = contents;
  let offset = contents?.range[0] ?? 0;
  for (const name of path) {
    const found = isMap(part)
      ? part.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))
      : undefined;
    part = isSeq(part) ? part.items[Number(name)] : found?.value;
    const begins = found?.key ?? part;
    offset = (isNode(begins) && begins.range?.[0]) || offset;
  }
  return positionAt(offset, lines);
}

export function positionAt(offset: number, lines: LineCounter): FilePosition {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
