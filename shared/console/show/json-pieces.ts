/** A piece of a text, with its kind if the text is JSON. */
export interface JsonPiece {
  readonly text: string;
  readonly kind: 'name' | 'string' | 'literal' | null;
}

/** Coloring longer text would make the page slow. */
const COLORED_MAX_CHARS = 60_000;
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b/g;

/** Splits JSON into what is coloured; any other text is one piece. */
export function jsonPieces(text: string): JsonPiece[] {
  if (text.length > COLORED_MAX_CHARS || !/^[[{]/.test(text)) {
    return [{ text, kind: null }];
  }
  const pieces: JsonPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const kind = match[2] !== undefined ? 'name' : match[1] !== undefined ? 'string' : 'literal';
    const shown = kind === 'name' ? (match[1] ?? '') : match[0];
    pieces.push({ text: text.slice(end, match.index), kind: null }, { text: shown, kind });
    end = match.index + shown.length;
  }
  pieces.push({ text: text.slice(end), kind: null });
  return pieces.filter((piece) => piece.text !== '');
}
