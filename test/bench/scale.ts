import { firstLimits, type Limit } from './first-limits.ts';
import type { Written } from './merchants.ts';
import { inOwnThread } from './own-thread.ts';
import { type Month, RUSH_PER_SECOND, simulateMonth, simulateRush } from './partitions.ts';
import type { Section } from './section.ts';
import type { Asked, AskedOf, Stored } from './stored.ts';
import type { Partition } from './tally.ts';
import { kindOf, PLACES } from './write-ledger.ts';

/*
 * How far it goes: where the writes of a month meet, by the functions that describe them; what lists, ticks and purges
 * ask of a store that is fuller and fuller; and which limit comes first, computed from both.
 */

/** No partition may take more of all writes, but for the one in which a merchant's serial items are. */
const HOTTEST_SHARE_MAX = 0.01;
const SERIAL: Readonly<Record<string, string>> = {
  WORLD: 'counters of the large merchant, and the lock of its runner',
};
const TOP = 5;
/** What is asked of the fullest store, against the emptiest. */
const GROWTH_MAX = 1.2;
/** A purge says how much it deletes, so it counts: what it may read for each payment. */
const COUNTED_READS_MAX = 0.2;
/** How far the made-up units may be from what the store says. */
const UNITS_OFF_MAX = 0.1;

export async function measure(): Promise<Section> {
  // One after the other: on a busy machine, rounds are told apart less well, and a runner is slower.
  const stored = await inOwnThread<Stored>('stored.ts');
  const jobsPerSecond = await inOwnThread<number>('runner-speed.ts');
  const month = await simulateMonth();
  const rush = simulateRush();
  printHottest(month);
  const asked = stored.asked;
  return {
    lines: [
      ...hottestTable(month, rush),
      '',
      ...askedTable(asked),
      '',
      ...limitTable(firstLimits({ stored, month, rush, jobsPerSecond })),
    ],
    figures: {},
    failures: [...lifeFailures(stored), ...hottestFailures(month), ...growthFailures(asked)],
  };
}

function printHottest(month: Month): void {
  const sides = [
    ['all merchants', month],
    ['the very large merchant', month.ofLarge],
  ] as const;
  for (const [whose, { partitions, writes }] of sides) {
    for (const place of PLACES) {
      console.log(`\nHottest of ${place}, of the writes of ${whose}:`);
      for (const { pk, writes: count } of partitions.filter((one) => one.place === place).slice(0, TOP)) {
        console.log(`  ${percent(count / writes).padStart(7)}  ${pk}`);
      }
    }
  }
}

function isSerial({ pk }: Partition): boolean {
  return SERIAL[kindOf(pk)] !== undefined;
}

function hottestTable(month: Month, rush: ReturnType<typeof simulateRush>): string[] {
  const serial = Object.keys(SERIAL).map((kind) => (one: Partition) => kindOf(one.pk) === kind);
  const others = PLACES.map((place) => (one: Partition) => one.place === place && !isSerial(one));
  const rows = [...serial, ...others].map((is) => {
    const ofAll = month.partitions.find(is);
    if (ofAll === undefined) {
      throw new Error('nothing was written there');
    }
    const isSame = (one: Partition) => one.place === ofAll.place && kindOf(one.pk) === kindOf(ofAll.pk);
    const ofLarge = month.ofLarge.partitions.find(isSame)?.writes ?? 0;
    const inRush = rush.partitions.find(isSame)?.writes ?? 0;
    const kind = kindOf(ofAll.pk);
    const name = `${ofAll.place === 'table' ? '' : `index ${ofAll.place}, `}${SERIAL[kind] ?? `\`${kind}\``}`;
    const perSecond = (inRush * RUSH_PER_SECOND) / rush.payments;
    const cells = [percent(ofAll.writes / month.writes), percent(ofLarge / month.ofLarge.writes)];
    return `| ${name} | ${cells.join(' | ')} | ${Math.round(perSecond).toLocaleString('en')} |`;
  });
  const sum = ({ payments, writes }: Written) =>
    `${payments.toLocaleString('en')} payments, ${writes.toLocaleString('en')} writes of the table and its indexes`;
  return [
    `A month of a thousand merchants and a very large one: ${sum(month)}. Of the large one: ${sum(month.ofLarge)}.`,
    '',
    `| Hottest partition key | Of all writes | Of the large merchant's | Units a second at its ${RUSH_PER_SECOND.toLocaleString('en')} payments a second |`,
    '|---|---:|---:|---:|',
    ...rows,
  ];
}

function askedTable(asked: readonly AskedOf[]): string[] {
  const row = (what: string, say: (of: AskedOf) => string) => `| ${what} | ${asked.map(say).join(' | ')} |`;
  const units = ({ reads, writes }: Asked) => (writes === 0 ? `${reads}` : `${reads} + ${writes}`);
  return [
    `| Read + write units, with so many payments stored | ${asked.map(({ stored }) => stored.toLocaleString('en')).join(' | ')} |`,
    `|---|${asked.map(() => '---:|').join('')}`,
    row('First page of a list, 20 of them', ({ list }) => units(list)),
    row('A tick of the clock, 64 queries', ({ tick }) => units(tick)),
    row('The request for a purge', ({ purge }) => units(purge)),
    row('Deletion afterwards, for each item', ({ deletion: { reads, writes, items } }) =>
      ((reads + writes) / items).toFixed(1),
    ),
  ];
}

function limitTable(limits: readonly Limit[]): string[] {
  return [
    '| Payments a second | of | Limit | Lifted by |',
    '|---:|---|---|---|',
    ...limits.map(
      ({ paymentsPerSecond, of, what, lift }) =>
        `| ${Math.round(paymentsPerSecond).toLocaleString('en')} | ${of} | ${what} | ${lift} |`,
    ),
  ];
}

/** What is made up must be what is seen, or nothing that follows from it is true. */
function lifeFailures({ seen, madeUp, units }: Stored): string[] {
  const kinds = [...new Set([...Object.keys(seen), ...Object.keys(madeUp)])];
  const wrong = kinds
    .filter((kind) => seen[kind] !== madeUp[kind])
    .map((kind) => `a payment writes ${kind} ${seen[kind] ?? 0} times, not ${madeUp[kind] ?? 0}`);
  const isOff = Math.abs(units.madeUp / units.seen - 1) > UNITS_OFF_MAX;
  return isOff ? [...wrong, `a payment takes ${units.seen} write units, not ${units.madeUp}`] : wrong;
}

function hottestFailures({ partitions, writes }: Month): string[] {
  return partitions
    .filter((one) => !isSerial(one) && one.writes / writes > HOTTEST_SHARE_MAX)
    .map(({ pk, writes: count }) => `${pk} takes ${percent(count / writes)} of all writes`);
}

function growthFailures(asked: readonly AskedOf[]): string[] {
  const [least, most] = [asked.at(0), asked.at(-1)];
  if (least === undefined || most === undefined) {
    return ['nothing was asked'];
  }
  // Calls that go out together may miss one another on a busy machine: then one round looks like two.
  const grown = (
    [
      ['a list', 'list', ['rounds', 'reads']],
      ['a tick', 'tick', ['calls', 'reads']],
      ['the request for a purge', 'purge', ['rounds', 'writes']],
    ] as const
  ).flatMap(([what, name, units]) =>
    units
      .filter((unit) => most[name][unit] > least[name][unit] * GROWTH_MAX + (unit === 'rounds' ? 1 : 0))
      .map(
        (unit) =>
          `${what} grows with what is stored: from ${least[name][unit]} to ${most[name][unit]} ${unit}`,
      ),
  );
  const counted = (most.purge.reads - least.purge.reads) / (most.stored - least.stored);
  return counted > COUNTED_READS_MAX
    ? [...grown, `a purge reads ${counted.toFixed(2)} units for each payment`]
    : grown;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
