import { LAWS, type Law } from '../simulation/laws/law.ts';
import { BEYOND_SIMULATION, RARE_IN_STORIES } from './beyond-simulation.ts';
import type { Defect } from './defect.ts';
import type { Verdict } from './verdict.ts';

/** A table of the defects that each law has caught, and of those that none has, as Markdown. */
export function caughtByLaws(verdicts: readonly Verdict[], defects: readonly Defect[]): string {
  const showsOf = (id: string) => defects.find((defect) => defect.id === id)?.shows ?? '';
  const byLaw = Map.groupBy(verdicts, ({ test }) => test?.replace(/ \(seed \d+\)$/, '') ?? null);
  const rows = Object.entries(LAWS).map(([law, says]) => {
    const ids = (byLaw.get(law as Law) ?? []).map(({ id }) => `\`${id}\``);
    return `| \`${law}\` | ${says} | ${ids.length === 0 ? '–' : ids.join(', ')} |`;
  });
  const missed = (byLaw.get(null) ?? []).map(
    ({ id }) => `- \`${id}\` (${showsOf(id)}): ${RARE_IN_STORIES[id] ?? 'not explained'}`,
  );
  const stuck = (byLaw.get('no story begins') ?? []).map(({ id }) => `- \`${id}\``);
  const beyond = Object.entries(BEYOND_SIMULATION).map(([id, why]) => `- \`${id}\`: ${why}`);
  const caught = verdicts.filter(({ caughtBy }) => caughtBy !== null).length;
  return [
    '# Planted defects that laws have caught',
    '',
    '<!-- Written by `npm run test:planted -- --simulate 60 --table`. -->',
    '',
    `The simulated service found ${caught} of ${verdicts.length}, each within a minute.`,
    '',
    '| Law | What it says | Defects |',
    '|---|---|---|',
    ...rows,
    ...sectionOf('With these, no story begins at all', stuck),
    ...sectionOf('Not found within a minute', missed),
    ...sectionOf('Not looked for: no story can show them', beyond),
    '',
  ].join('\n');
}

function sectionOf(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
}
