import { readFile } from 'node:fs/promises';
import { runCommand } from '../support/tools/run-command.ts';

const PAGE = 'test/bench/FIGURES.md';

/** The part of FIGURES.md that a section prints, as of the newest tag; before the first one, as it is committed. */
export async function releasedFigures(section: string): Promise<string> {
  const git = async (...args: string[]) => (await runCommand('git', args)).stdout.trim();
  const tag = await git('describe', '--tags', '--abbrev=0').catch(() => 'HEAD');
  const page = await git('show', `${tag}:${PAGE}`).catch(() => readFile(PAGE, 'utf8'));
  return page.split(`<!-- bench: ${section} -->`)[1]?.split(`<!-- /bench: ${section} -->`)[0] ?? '';
}
