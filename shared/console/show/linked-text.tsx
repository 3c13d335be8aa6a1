import { piecesOf } from '../../story/addresses.ts';

/** Text in which every id leads to its resource. */
export function LinkedText({ text }: { readonly text: string }) {
  return (
    <>
      {piecesOf(text).map((piece, index) =>
        piece.address === null ? (
          piece.text
        ) : (
          <a key={index} class="id" href={piece.address}>
            {piece.text}
          </a>
        ),
      )}
    </>
  );
}

/** An id that leads to its resource. */
export function IdLink({ id }: { readonly id: string }) {
  return (
    <span class="mono">
      <LinkedText text={id} />
    </span>
  );
}

/** Text in which `code` is marked as in Markdown. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
