import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CheckoutCopy, copyCheckout } from '../support/tools/checkout-copy.ts';
import { BEYOND_SIMULATION } from './beyond-simulation.ts';
import { caughtByLaws } from './caught-by-laws.ts';
import { type Defect, nearestTestOf, plantInto } from './defect.ts';
import { DEFECTS } from './defects.ts';
import { INTERLEAVINGS } from './interleavings.ts';
import { runSimulation } from './run-simulation.ts';
import { runTests } from './run-tests.ts';
import type { Verdict } from './verdict.ts';

/*
 * npm run test:planted: plants each defect of the list by itself into a copy of the checkout, and runs the test file
 * that is nearest to it; where that lets it through, all of `npm test`. It fails where fewer than 97 % are caught.
 *
 *   --only ID,…      these defects alone
 *   --simulate S     by stories of the simulated service, for S seconds each, in place of tests; by 95 % of them
 *   --sample         with --simulate: ten that stories find soon
 *   --table          with --simulate: writes which law has caught which defect into test/planted/CAUGHT.md
 *   --near           without `npm test` for those that the nearest file lets through
 *   --workers N      how many are judged at the same time (1)
 *   --report FILE    the verdicts as JSON
 */

const CAUGHT_MIN = 0.97;
const CAUGHT_BY_LAWS_MIN = 0.95;
/** So long the laws are watched without a defect first. */
const SOUND_SECONDS = 10;
const TABLE = path.join(import.meta.dirname, 'CAUGHT.md');
/** Of several laws, and of order, crash and time; what ten take is about two minutes. */
const SAMPLE = [
  'expiry-a-moment-late',
  'late-after-cancel',
  'failed-is-payable',
  'mismatch-forgets-amount',
  'returned-payout-vanishes',
  'refund-of-nothing',
  'fingerprint-without-path',
  'resource-by-time',
  'expiry-when-it-was-seen',
  'lease-without-end',
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      simulate: { type: 'string' },
      sample: { type: 'boolean', default: false },
      table: { type: 'boolean', default: false },
      near: { type: 'boolean', default: false },
      workers: { type: 'string', default: '1' },
      report: { type: 'string' },
    },
  });
  const wanted = values.sample ? SAMPLE : values.only?.split(',');
  const all = values.simulate === undefined ? DEFECTS : [...DEFECTS, ...INTERLEAVINGS];
  const isMeant = ({ id }: Defect) =>
    wanted?.includes(id) ?? (values.simulate === undefined || !(id in BEYOND_SIMULATION));
  const defects = all.filter(isMeant);
  const unknown = wanted?.filter((id) => defects.every((defect) => defect.id !== id)) ?? [];
  if (unknown.length > 0 || !/^[1-9]$/.test(values.workers)) {
    throw new Error(unknown.length > 0 ? `no such defects: ${unknown.join(', ')}` : '--workers is 1 to 9');
  }
  const queue = [...defects];
  const verdicts: Verdict[] = [];
  const work = async (isFirst: boolean): Promise<void> => {
    await using copy = await copyCheckout();
    if (isFirst) {
      await requireGreen(copy, values.simulate === undefined ? defects : null);
    }
    for (let defect = queue.shift(); defect !== undefined; defect = queue.shift()) {
      const verdict =
        values.simulate === undefined
          ? await judge(copy, defect, values.near)
          : await judgeByLaws(copy, defect, Number(values.simulate));
      verdicts.push(verdict);
      print(verdict, defect);
    }
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, (_, index) => work(index === 0)));
  if (values.report !== undefined) {
    await writeFile(values.report, `${JSON.stringify(verdicts, null, 2)}\n`);
  }
  if (values.table) {
    await writeFile(TABLE, caughtByLaws(verdicts, all));
  }
  const least = values.simulate === undefined ? CAUGHT_MIN : CAUGHT_BY_LAWS_MIN;
  process.exitCode = summarize(verdicts) >= least ? 0 : 1;
}

/** A defect is caught only by a test, or a law, that holds without it. @param defects null: laws are to catch them */
async function requireGreen({ folder }: CheckoutCopy, defects: readonly Defect[] | null): Promise<void> {
  const { failed } =
    defects === null
      ? await runSimulation(folder, SOUND_SECONDS)
      : await runTests(folder, [...new Set(defects.map(nearestTestOf))]);
  if (failed !== null) {
    throw new Error(`without any defect this fails: ${failed}`);
  }
}

async function judge(copy: CheckoutCopy, defect: Defect, isNearOnly: boolean): Promise<Verdict> {
  const { id } = defect;
  return whilePlanted(copy, defect, async () => {
    const near = await runTests(copy.folder, [nearestTestOf(defect)]);
    if (near.failed !== null) {
      return { id, caughtBy: 'nearest', test: near.failed, seconds: near.seconds };
    }
    const all = isNearOnly ? { failed: null, seconds: 0 } : await runTests(copy.folder, []);
    const seconds = near.seconds + all.seconds;
    return { id, caughtBy: all.failed === null ? null : 'elsewhere', test: all.failed, seconds };
  });
}

async function judgeByLaws(copy: CheckoutCopy, defect: Defect, seconds: number): Promise<Verdict> {
  const run = await whilePlanted(copy, defect, () => runSimulation(copy.folder, seconds));
  const caughtBy = run.failed === null ? null : 'law';
  return { id: defect.id, caughtBy, test: run.failed, seconds: run.seconds };
}

/** Runs something while a defect is in the copy. */
async function whilePlanted<Result>(
  { folder }: CheckoutCopy,
  defect: Defect,
  run: () => Promise<Result>,
): Promise<Result> {
  const file = path.join(folder, defect.file);
  const text = await readFile(file, 'utf8');
  await writeFile(file, plantInto(text, defect));
  try {
    return await run();
  } finally {
    await writeFile(file, text);
  }
}

function print({ id, caughtBy, test, seconds }: Verdict, { shows }: Defect): void {
  const what = caughtBy === null ? `NOT CAUGHT: ${shows}` : `${caughtBy.padEnd(9)}  ${test}`;
  console.log(`${id.padEnd(34)} ${seconds.toFixed(0).padStart(4)} s  ${what}`);
}

/** @returns the share that was caught */
function summarize(verdicts: readonly Verdict[]): number {
  const caught = verdicts.filter(({ caughtBy }) => caughtBy !== null);
  const near = verdicts.filter(({ caughtBy }) => caughtBy === 'nearest');
  const share = caught.length / verdicts.length;
  console.log(
    `\n${caught.length} of ${verdicts.length} planted defects were caught (${(share * 100).toFixed(1)} %), ` +
      `${near.length} by the nearest test file.`,
  );
  return share;
}

main().catch((error: Error) => {
  console.error(`\n${error.message}`);
  process.exitCode = 2;
});
