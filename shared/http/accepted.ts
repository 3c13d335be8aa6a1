const RANGE = /^\s*(?<name>[^;\s]+)\s*(?:;.*?\bq\s*=\s*(?<weight>[\d.]+).*)?/i;

/** What a header such as Accept or Accept-Encoding names, in lower case, each with its weight (RFC 9110, 12.4.2). */
export function acceptedIn(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((range) => {
      const { name = '', weight = '1' } = RANGE.exec(range)?.groups ?? {};
      return [name.toLowerCase(), Number(weight)];
    }),
  );
}

const [HTML, MARKDOWN] = ['text/html', 'text/markdown'];
const [JSON_TYPE, PROBLEM_TYPE] = ['application/json', 'application/problem+json'];

/**
 * Whether an Accept header comes from a browser, which names HTML. A caller that accepts anything, or sends no such
 * header, is a program.
 */
export function prefersHtml(accept = ''): boolean {
  const weights = acceptedIn(accept);
  const ofHtml = weights.get(HTML) ?? 0;
  return ofHtml > 0 && ofHtml >= (weights.get(JSON_TYPE) ?? 0);
}

/** Whether an Accept header names Markdown, and nothing before it. */
export function prefersMarkdown(accept = ''): boolean {
  const weights = acceptedIn(accept);
  const ofMarkdown = weights.get(MARKDOWN) ?? 0;
  const others = [HTML, JSON_TYPE].map((type) => weights.get(type) ?? 0);
  return ofMarkdown > 0 && ofMarkdown >= Math.max(...others);
}

/** Whether an Accept header comes from a program that reads problems rather than pages: it names them. */
export function prefersProblem(accept = ''): boolean {
  const weights = acceptedIn(accept);
  const ofProblem = Math.max(weights.get(JSON_TYPE) ?? 0, weights.get(PROBLEM_TYPE) ?? 0);
  return ofProblem > (weights.get(HTML) ?? 0);
}
