import { LIST_OF_SEGMENT, LISTED_KINDS } from './lists.ts';
import { addressOf, type DashboardRoute } from './route.ts';

/** The first segment of the route of each kind of resource, by the prefix of its ids. */
const SEGMENT_OF_PREFIX: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LISTED_KINDS.map(({ prefix, segment }) => [prefix, segment])),
  whe: 'webhooks',
};
const ID_MIDDLE = /(?<=^[a-z]{3}_)\w{20}(?=\w{6}$)/;
const ID = idPattern(['snk', ...Object.keys(SEGMENT_OF_PREFIX)]);

/** A piece of a text, with the address to which it leads, if it is an id. */
export interface TextPiece {
  readonly text: string;
  readonly address: string | null;
}

/** Finds every id with one of these prefixes in a text. */
export function idPattern(prefixes: Iterable<string>): RegExp {
  return new RegExp(`\\b(?:${[...prefixes].join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}\\b`, 'g');
}

/** The address of the resource with this id; null if its kind has no route. A sink is in the drawer. */
export function addressOfId(id: string): string | null {
  if (id.startsWith('snk_')) {
    return addressOf([], { world: id });
  }
  const segment = SEGMENT_OF_PREFIX[id.slice(0, id.indexOf('_'))];
  return segment === undefined ? null : addressOf([segment, id]);
}

/** An id as it is shown beside others: `pay_…29t6cm`, whose end differs from that of every other one. */
export function shortId(id: string): string {
  return id.replace(ID_MIDDLE, '…');
}

/** Splits a text at the ids in it. */
export function piecesOf(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: id, index } of text.matchAll(ID)) {
    pieces.push({ text: text.slice(end, index), address: null }, { text: id, address: addressOfId(id) });
    end = index + id.length;
  }
  pieces.push({ text: text.slice(end), address: null });
  return pieces.filter((piece) => piece.text !== '');
}

/** The section that a route belongs to. */
export function sectionOf({ path: [first = ''] }: DashboardRoute): string {
  return LIST_OF_SEGMENT.get(first)?.section ?? first;
}
