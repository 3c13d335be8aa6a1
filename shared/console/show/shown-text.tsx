/// <reference lib="dom" />
import { CopyButton } from './copy-button.tsx';
import { type JsonPiece, jsonPieces } from './json-pieces.ts';
import { LinkedText } from './linked-text.tsx';

interface TextProps {
  readonly name: string;
  readonly text: string;
  /** The displayed text, if it differs from the copied one. */
  readonly shown?: string;
  /** Makes the copy of the text, where it has what the page must not hold. */
  readonly copyOf?: (text: string) => string;
}

/** Text to read and to copy. JSON is coloured, and ids lead to their resources. */
export function ShownText({ name, text, shown = text, copyOf }: TextProps) {
  return (
    <div class="text">
      <div class="text-head">
        <b>{name}</b>
        <CopyButton text={text} {...(copyOf !== undefined && { copyOf })} />
      </div>
      {/* It scrolls, so it must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/noNoninteractiveTabindex: it keeps its line breaks, and scrolls */}
      <pre tabIndex={0} role="region" aria-label={name}>
        {jsonPieces(shown).map((piece, index) => (
          <TextOfPiece key={index} {...piece} />
        ))}
      </pre>
    </div>
  );
}

function TextOfPiece({ text, kind }: JsonPiece) {
  if (kind === null) {
    return text;
  }
  return <span class={`j-${kind}`}>{kind === 'string' ? <LinkedText text={text} /> : text}</span>;
}
