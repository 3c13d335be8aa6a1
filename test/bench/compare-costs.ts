/** What a million of something costs in dollars, by what it is. */
export type Costs = ReadonlyMap<string, number>;

/** A rise from here on needs a reason. */
const RISE_MAX = 0.05;
/** The column of the tables of FIGURES.md that is compared: units do not vary, as times do. */
const COLUMN = '$ per million';
const REASON = /^- \*\*(?<what>.+?)\*\*, up to \$(?<dollars>\d+(?:\.\d+)?): \S.{10,}$/gm;

/** The costs in the tables of a section of the bench. */
export function costsIn(text: string): Costs {
  const costs = new Map<string, number>();
  let column = -1;
  for (const line of text.split('\n')) {
    const cells = line.split(' | ').map((cell) => cell.replaceAll('|', '').trim());
    const value = cells[column];
    if (cells.includes(COLUMN)) {
      column = cells.indexOf(COLUMN);
    } else if (!line.startsWith('|')) {
      column = -1;
    } else if (value !== undefined && /^\d+(\.\d+)?$/.test(value)) {
      costs.set(String(cells[0]), Number(value));
    }
  }
  return costs;
}

/** How much each thing may cost, by the lines of COSTS.md that say why. */
export function reasonsIn(text: string): Costs {
  const lines = [...text.matchAll(REASON)];
  return new Map(lines.map(({ groups }) => [String(groups?.what), Number(groups?.dollars)]));
}

/**
 * What costs otherwise than in the last release, as a table, and a sentence for each rise that nobody gave a reason for.
 * @param reasons how much each may cost
 */
export function compareCosts(
  released: Costs,
  now: Costs,
  reasons: Costs,
): { readonly lines: readonly string[]; readonly failures: readonly string[] } {
  const rows = [...now].flatMap(([what, dollars]) => {
    const before = released.get(what);
    return before === dollars ? [] : [{ what, dollars, before, rise: riseOf(before, dollars) }];
  });
  const gone = [...released.keys()].filter((what) => !now.has(what));
  const failures = rows
    .filter(({ what, dollars, rise }) => rise >= RISE_MAX && dollars > (reasons.get(what) ?? 0))
    .map(
      ({ what, dollars, before }) =>
        `"${what}" costs $${dollars.toFixed(2)} a million, and cost $${before?.toFixed(2)} in the last release: say why in test/bench/COSTS.md, or cost less`,
    );
  if (rows.length === 0 && gone.length === 0) {
    return { lines: ['Every operation costs what it cost in the last release.'], failures };
  }
  return {
    lines: [
      '| $ per million | Last release | This commit | |',
      '|---|---:|---:|---:|',
      ...rows.map(
        ({ what, dollars, before, rise }) =>
          `| ${what} | ${before?.toFixed(2) ?? ''} | ${dollars.toFixed(2)} | ${before === undefined ? 'new' : signed(rise)} |`,
      ),
      ...gone.map((what) => `| ${what} | ${released.get(what)?.toFixed(2)} | | gone |`),
    ],
    failures,
  };
}

/** What is new has nothing to rise from. */
function riseOf(before: number | undefined, dollars: number): number {
  return before === undefined ? 0 : (dollars - before) / before;
}

function signed(rise: number): string {
  return `${rise < 0 ? '' : '+'}${(rise * 100).toFixed(1)} %`;
}
