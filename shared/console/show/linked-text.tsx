import { addressOfId, piecesOf, shortId } from '../../story/addresses.ts';
import { CopyButton } from './copy-button.tsx';

const NUMBER = /\b([A-Z]-\d{6,})/;

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

/** Text in which no number of a resource is broken over two lines. */
export function WholeNumbers({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(NUMBER).map((part, index) =>
        index % 2 === 1 ? (
          <span key={index} class="id">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </>
  );
}

/** An id that leads to its resource: its end is enough to tell it from others, and its title has all of it. */
export function IdLink({ id }: { readonly id: string }) {
  const address = addressOfId(id);
  const shown = shortId(id);
  return (
    <span class="mono id" title={id}>
      {address === null ? shown : <a href={address}>{shown}</a>}
    </span>
  );
}

/** An id of the resource that is shown, to be copied whole. */
export function OwnId({ id }: { readonly id: string }) {
  return (
    <span class="tools">
      <span class="mono id" title={id}>
        {shortId(id)}
      </span>
      <CopyButton text={id} />
    </span>
  );
}

/** Text in which `code` is marked as in Markdown. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
