import { Html, html } from '../pages/html.ts';
import { anchorOf } from './anchor-of.ts';

/** A heading of a page, for the list of what is on it. */
interface PageHeading {
  readonly id: string;
  /** Without tags. */
  readonly text: Html;
  readonly level: 2 | 3;
}

const HEADING = /<h([23])(?: id="([^"]*)")?>(.*?)<\/h\1>/g;

/** A page whose headings all have an id, and these headings. */
export function withHeadingIds(body: Html): {
  readonly body: Html;
  readonly headings: readonly PageHeading[];
} {
  const headings: PageHeading[] = [];
  const used = new Set([...body.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const text = body.text.replaceAll(HEADING, (_, level: string, given: string | undefined, inner: string) => {
    const plain = inner.replaceAll(/<[^>]+>/g, '');
    const id = given ?? freeId(anchorOf(plain), used);
    used.add(id);
    headings.push({ id, text: new Html(plain), level: level === '2' ? 2 : 3 });
    return html`<h${level} id="${id}">${new Html(inner)}</h${level}>`.text;
  });
  return { body: new Html(text), headings };
}

function freeId(wanted: string, used: ReadonlySet<string | undefined>): string {
  let id = wanted;
  for (let count = 2; used.has(id); count += 1) {
    id = `${wanted}-${count}`;
  }
  return id;
}
