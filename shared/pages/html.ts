/** Text that is already HTML: all other text in a page is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

type Part = Html | string | number | null | false | readonly Part[];

/** HTML with values in it; attributes need double quotes. Null and false add nothing, a list adds all its items. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: texts }, ...parts.map(render)));
}

function render(part: Part): string {
  if (part === null || part === false) {
    return '';
  }
  if (part instanceof Html) {
    return part.text;
  }
  return typeof part === 'object'
    ? part.map(render).join('')
    : String(part).replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
}
