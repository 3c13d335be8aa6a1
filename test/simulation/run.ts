import { randomInt } from 'node:crypto';
import os from 'node:os';
import { parseArgs } from 'node:util';
import type { Omissions, Told } from './story.ts';
import { Storyteller } from './storytellers.ts';

/*
 * npm run simulate: the whole service in one process, on a clock, chance and network that one seed decides.
 *
 *   --seed N      the story of this seed, or the first one of several
 *   --stories N   so many stories, of seed after seed (1)
 *   --seconds S   stories of seed after seed, for so long
 *   --workers N   how many stories are told at once (one for each processor)
 *   --story       what happened, answer by answer
 *   --without L   leaves out steps and faults, as a failure says: "steps 1,2 faults 4"
 *   --first       no further story after the first that breaks a law
 *   --finds N     lets N stories break a law (0): with fresh seeds, a rare one is to be looked at, and is not of this change
 *   --json        one line of JSON for each seed
 *
 * It ends with 1 where a law is broken, and prints the shortest story that breaks it. In fresh stories, what a change
 * breaks is broken again and again: most planted defects are found in the first hundred.
 */

const SEED_MAX = 2 ** 31;
const SECOND_MS = 1_000;
/** So many stories that break a law are shown as short as they can be. */
const SHOWN_MAX = 3;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    stories: { type: 'string' },
    seconds: { type: 'string' },
    workers: { type: 'string' },
    story: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
    first: { type: 'boolean', default: false },
    finds: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const numberOf = (name: 'seed' | 'stories' | 'seconds' | 'workers' | 'finds') => {
  const text = values[name];
  if (text !== undefined && !/^\d{1,10}$/.test(text)) {
    console.error(`--${name} takes a whole number, not "${text}".`);
    process.exit(2);
  }
  return text === undefined ? null : Number(text);
};
const listed = (what: string) =>
  new Set(
    (new RegExp(`${what} ([\\d,]+)`).exec(values.without)?.[1] ?? '').split(',').filter(Boolean).map(Number),
  );
const omissions: Omissions = { steps: listed('steps'), faults: listed('faults') };

const first = numberOf('seed') ?? randomInt(SEED_MAX);
const seconds = numberOf('seconds');
const stories = numberOf('stories') ?? (seconds === null ? 1 : Number.POSITIVE_INFINITY);
const workers = Math.min(numberOf('workers') ?? os.availableParallelism(), stories);

const sums = { stories: 0, requests: 0, simulated_ms: 0, faults: 0, failed: 0 };
const tellers = await Promise.all(
  Array.from({ length: workers }, async () => {
    const teller = new Storyteller();
    await teller.start();
    return teller;
  }),
);
const beganAt = performance.now();
const isTime = () =>
  !(values.first && sums.failed > 0) &&
  (seconds === null || performance.now() - beganAt < seconds * SECOND_MS);
let next = first;
await Promise.all(
  tellers.map(async (teller) => {
    using own = teller;
    while (next < first + stories && isTime()) {
      const seed = next;
      next += 1;
      const told = await own.tell(seed, omissions);
      note(told);
      if (told.run.violations.length > 0 && sums.failed <= SHOWN_MAX) {
        await explain(own, told);
      }
    }
  }),
);

if (!values.json) {
  const took = (performance.now() - beganAt) / SECOND_MS;
  console.log(
    `${sums.stories} stories from seed ${first} on, ${sums.requests} requests (${Math.round(sums.requests / took)} a second), ${sums.faults} faults, ${Math.round(sums.simulated_ms / SECOND_MS / took)} times as fast as time: ${sums.failed === 0 ? 'every law held' : `${sums.failed} broke a law`}.`,
  );
}
process.exitCode = sums.failed <= (numberOf('finds') ?? 0) ? 0 : 1;

function note({ run, lines }: Told): void {
  sums.stories += 1;
  sums.requests += run.requests;
  sums.simulated_ms += run.simulated_ms;
  sums.faults += run.faults;
  sums.failed += run.violations.length > 0 ? 1 : 0;
  if (values.json) {
    console.log(JSON.stringify(run));
  }
  if (values.story) {
    console.log(lines.join('\n'));
  }
}

/** Prints a story that breaks a law as short as it can be, how to tell it again, and a test to keep. */
async function explain(teller: Storyteller, told: Told): Promise<void> {
  const { seed } = told.run;
  const shortest = await teller.shrink(told, omissions);
  const textOf = (what: 'steps' | 'faults') => {
    const numbers = [...shortest.omissions[what]].toSorted((one, other) => one - other);
    return numbers.length === 0 ? [] : [`${what} ${numbers.join(',')}`];
  };
  const without = [...textOf('steps'), ...textOf('faults')].join(' ');
  const { violations } = shortest.told.run;
  console.error(
    [
      `Seed ${seed} breaks a law:`,
      ...violations.map(({ law, what }) => `  ${law}: ${what}`),
      'The shortest story:',
      ...shortest.told.lines.map((line) => `  ${line}`),
      'Again:',
      `  npm run simulate -- --seed ${seed} --story --without "${without}"`,
      'To keep, a row of test/simulation/kept-seeds.ts:',
      `  { seed: ${seed}, shows: '${violations[0]?.law}' },`,
    ].join('\n'),
  );
}
