import { randomInt } from 'node:crypto';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { readSigner } from '../events/signing-secret.ts';
import { failedStoryLines, listLines } from '../exam/exam-lines.ts';
import { UsageError } from '../terminal/command.ts';
import { say, sayJson } from '../terminal/output.ts';
import { type PgRun, serviceOf } from '../terminal/pg-command.ts';
import { readShopWays, type StoryReport, simulateStory } from './simulate-story.ts';
import type { SimulationForm } from './tell-story.ts';

/** Short enough to be typed. */
const RANDOM_SEED_MAX = 1_000_000;

/** Tells a shop stories until one breaks a law. @throws Error where one does, after the exit code is set to 1 */
export async function simulateShop(run: PgRun): Promise<void> {
  const { seed: first = randomInt(1, RANDOM_SEED_MAX), seconds, json, story: isTold = false } = run.values;
  const { stories = seconds === undefined ? 1 : Number.POSITIVE_INFINITY } = run.values;
  const shop = readShop(run.values);
  const signer = await readSigner(run);
  const tell = json ? () => undefined : say;
  tell(`Signing secret: ${signer.printable ?? signer.shown}`, `Seed: ${first}`);
  const service = serviceOf(run);
  const form = { shop, signer };
  const ways = await readShopWays(service, form);
  const endsAt = performance.now() + (seconds ?? Number.POSITIVE_INFINITY) * SECOND_MS;
  for (let told = 0; told < stories && (told === 0 || performance.now() < endsAt); told += 1) {
    const seed = first + told;
    const report = await simulateStory(service, form, ways, seed, (broken) =>
      tell(...storyLines(broken, isTold)),
    );
    if (json) {
      sayJson(report);
    }
    tell(...(report.failure === null ? storyLines(report, isTold) : failedStoryLines(report.failure)));
    if (report.failure !== null) {
      process.exitCode = 1;
      throw new Error(`A law does not hold at this shop: seed ${seed}.`);
    }
  }
}

/** @throws UsageError for an address that is missing */
function readShop({ receiver, order, probe }: PgRun['values']): SimulationForm['shop'] {
  if (receiver === undefined || order === undefined || probe === undefined) {
    const missing = Object.entries({ receiver, order, probe }).filter(([, given]) => given === undefined);
    throw new UsageError(
      `Also name ${missing.map(([name]) => `--${name}`).join(' and ')}: stories need the webhook receiver of your shop, its address that opens an order, and the one that tells of it.`,
    );
  }
  return { receiver, order, probe };
}

function storyLines({ seed, story, law }: Omit<StoryReport, 'failure'>, isTold: boolean): string[] {
  return [
    ...(isTold ? listLines(`story of seed ${seed}`, story) : []),
    law === null
      ? `Seed ${seed}: every law held, ${story.length} steps.`
      : `Seed ${seed}: a law does not hold. ${law}`,
  ];
}
