/** HTML elements that have no end tag. */
const VOID = new Set(['meta', 'br', 'hr', 'img', 'link', 'input']);

/** Tags that are not closed, or closed in the wrong order. Those of SVG may close themselves. */
export function unbalancedTags(html: string): string[] {
  const open: string[] = [];
  for (const [tag, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (end === '' && !VOID.has(name) && !tag.endsWith('/>')) {
      open.push(name);
    } else if (end === '/' && open.pop() !== name) {
      return [`</${name}>`];
    }
  }
  return open;
}

/** The text of HTML, still escaped. */
export function withoutTags(html: string): string {
  return html.replaceAll(/<[^>]+>/g, '');
}
