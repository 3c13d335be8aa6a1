import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/*
 * npm run simulate: the whole service in one process, on a clock, chance and network that one seed decides.
 *
 *   --seed N      the story of this seed, or the first one of several
 *   --seconds S   stories of seed after seed, for so long (one story, without)
 *   --story       what happened, answer by answer
 *   --without L   leaves out steps and faults, as a failure says: "steps 1,2 faults 4"
 *   --json        one line of JSON for each seed
 *
 * It ends with 1 where a law is broken, and prints the shortest story that breaks it.
 */

const SEED_MAX = 2 ** 31;
const SECOND_MS = 1_000;

/** Before anything of the service is loaded, which reads them. */
Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'none',
  AWS_REGION: 'local',
  AWS_SECRET_ACCESS_KEY: 'none',
  BUS_NAME: 'simulated',
  POWERTOOLS_LOG_LEVEL: 'SILENT',
  POWERTOOLS_METRICS_DISABLED: 'true',
  PROVIDER_SECRETS_FOLDER: 'simulated',
  PUBLIC_BASE_URL: 'http://service.example',
  TABLE_NAME: 'simulated',
});

const { prepareSimulation, shrink, simulate } = await import('./simulate.ts');

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seconds: { type: 'string' },
    story: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const numberOf = (name: 'seed' | 'seconds') => {
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
const omissions = { steps: listed('steps'), faults: listed('faults') };

const first = numberOf('seed') ?? randomInt(SEED_MAX);
const beganAt = Date.now();
const realNow = Date.now.bind(Date);
const endsAt = beganAt + (numberOf('seconds') ?? 0) * SECOND_MS;
await prepareSimulation();

const sums = { stories: 0, requests: 0, simulated_ms: 0, faults: 0, failed: 0 };
let seed = first;
do {
  const told = await simulate(seed, omissions);
  const { run } = told;
  sums.stories += 1;
  sums.requests += run.requests;
  sums.simulated_ms += run.simulated_ms;
  sums.faults += run.faults;
  if (values.json) {
    console.log(JSON.stringify(run));
  }
  if (values.story) {
    console.log(told.lines.join('\n'));
  }
  if (run.violations.length > 0) {
    sums.failed += 1;
    await explain(told);
  }
  seed += 1;
} while (realNow() < endsAt);

if (!values.json) {
  const seconds = (realNow() - beganAt) / SECOND_MS;
  console.log(
    `${sums.stories} stories from seed ${first} on, ${sums.requests} requests (${Math.round(sums.requests / seconds)} a second), ${sums.faults} faults, ${Math.round(sums.simulated_ms / SECOND_MS / seconds)} times as fast as time: ${sums.failed === 0 ? 'every law held' : `${sums.failed} broke a law`}.`,
  );
}
process.exit(sums.failed === 0 ? 0 : 1);

/** Prints a story that breaks a law as short as it can be, how to tell it again, and a test to keep. */
async function explain(told: Awaited<ReturnType<typeof simulate>>): Promise<void> {
  const shortest = await shrink(told.run.seed, told);
  const textOf = (what: 'steps' | 'faults') => {
    const numbers = [...shortest.omissions[what], ...omissions[what]];
    return numbers.length === 0 ? [] : [`${what} ${numbers.join(',')}`];
  };
  const without = [...textOf('steps'), ...textOf('faults')].join(' ');
  console.error(
    [
      `Seed ${told.run.seed} breaks a law:`,
      ...shortest.told.run.violations.map(({ law, what }) => `  ${law}: ${what}`),
      'The shortest story:',
      ...shortest.told.lines.map((line) => `  ${line}`),
      'Again:',
      `  npm run simulate -- --seed ${told.run.seed} --story --without "${without}"`,
      'To keep, a row of test/simulation/kept-seeds.ts:',
      `  { seed: ${told.run.seed}, shows: '${shortest.told.run.violations[0]?.law}' },`,
    ].join('\n'),
  );
}
