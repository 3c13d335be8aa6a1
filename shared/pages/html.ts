/** Text that is HTML already: everything else that is put into a page is escaped. */
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

/** HTML with values in it; attributes stand in double quotes. Null and false leave nothing, a list is put in whole. */
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
