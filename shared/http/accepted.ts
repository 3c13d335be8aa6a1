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

const [HTML, JSON_TYPE, PROBLEM_TYPE] = ['text/html', 'application/json', 'application/problem+json'];

/**
 * Whether an Accept header comes from a browser, which names HTML. A caller that accepts anything, or sends no such
 * header, is a program.
 */
export function prefersHtml(accept = ''): boolean {
  const weights = acceptedIn(accept);
  const ofHtml = weights.get(HTML) ?? 0;
  return ofHtml > 0 && ofHtml >= (weights.get(JSON_TYPE) ?? 0);
}

/** Whether an Accept header comes from a program that reads problems rather than pages: it names them. */
export function prefersProblem(accept = ''): boolean {
  const weights = acceptedIn(accept);
  const ofProblem = Math.max(weights.get(JSON_TYPE) ?? 0, weights.get(PROBLEM_TYPE) ?? 0);
  return ofProblem > (weights.get(HTML) ?? 0);
}
