import { randomUUID } from 'node:crypto';
import { mapLimit } from '../../shared/concurrency/map-limit.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { newId } from '../../shared/domain/id.ts';
import type { Payment } from '../../shared/domain/payment.ts';
import type { PaymentId } from '../../shared/domain/request-start.ts';
import { formatNumber } from '../../shared/domain/resource-number.ts';
import { type World, worldIdOf } from '../../shared/domain/world.ts';
import { type LiveHost, startLiveHost } from './live-host.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';

/* What lists cost a merchant with many payments: pages near the beginning and far from it, filters, and an export of all. */

const PAYMENTS = 100_000;
const STORED_AT_ONCE = 8;
const BATCH = 250;
const PAGE = 100;
const TRIES = 15;
const ORDER = { amount: { currency: 'THB', minor: 129_900 }, method: 'promptpay' };
/** Every so many payments have this reference. */
const RARE = 5_000;
const MEGABYTE = 1_024 ** 2;

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export async function measure(): Promise<Section> {
  const host = await startLiveHost();
  try {
    const few = await host.issueKey('few');
    const many = await host.issueKey('many');
    for (const key of [few, many]) {
      await storePayments(host, key, key === few ? 'few' : 'many', key === few ? PAGE : PAYMENTS);
    }
    const first = await time(host, few, `limit=${PAGE}`);
    const newest = await time(host, many, `limit=${PAGE}`);
    const exported = await exportAll(host, many);
    const deep = await time(host, many, `limit=${PAGE}&after=${exported.deepCursor}`);
    const rare = await time(host, many, `limit=${PAGE}&reference=rare`, PAYMENTS / RARE);
    const numbered = await time(host, many, `number=${formatNumber('payment', PAYMENTS / 2)}`, 1);
    const create = [await timeCreations(host, few), await timeCreations(host, many)] as const;
    return {
      lines: [
        `| A merchant with | ${PAGE} payments | ${PAYMENTS.toLocaleString('en')} |`,
        '|---|---:|---:|',
        `| First page of ${PAGE}, p50, ms | ${first.toFixed(1)} | ${newest.toFixed(1)} |`,
        `| A page from the middle, p50, ms | | ${deep.toFixed(1)} |`,
        `| By a reference that ${PAYMENTS / RARE} have, p50, ms | | ${rare.toFixed(1)} |`,
        `| By a number, p50, ms | | ${numbered.toFixed(1)} |`,
        `| A creation, p50, ms | ${create[0].toFixed(1)} | ${create[1].toFixed(1)} |`,
        '',
        `All ${PAYMENTS.toLocaleString('en')} payments were read page by page, ${PAGE} each, in ${(exported.ms / SECOND_MS).toFixed(1)} s: ${exported.perSecond.toFixed(0)} a second. The host took ${exported.hostMb[0].toFixed(0)} MB before, ${exported.hostMb[1].toFixed(0)} MB at most.`,
      ],
      figures: {
        'lists.exported_per_second': exported.perSecond,
        'lists.memory_growth_mb': exported.hostMb[1] - exported.hostMb[0],
        'lists.newest_page_at_100000_to_100': newest / first,
        'lists.middle_page_to_newest': deep / newest,
        'lists.reference_to_newest': rare / newest,
        'lists.creation_at_100000_to_100': create[1] / create[0],
      },
      failures: exported.read === PAYMENTS ? [] : [`${exported.read} payments were read, not ${PAYMENTS}`],
    };
  } finally {
    await host.stop();
  }
}

/** Stores so many payments of a merchant, as the service would: they were created one after the other, and paid. */
async function storePayments(host: LiveHost, key: string, merchant: string, howMany: number): Promise<void> {
  // The last one, so that the world exists; and the pattern of all.
  const { id } = await host.ask<{ id: string }>(key, 'POST', '/payments', ORDER);
  const { getItem } = await import('../../shared/store/table/item.ts');
  const { toEntity } = await import('../../shared/store/table/entity.ts');
  const { keyOf } = await import('../../shared/store/table/keys.ts');
  const { itemsOf, writeAll } = await import('../../shared/store/table/write-all.ts');
  const { commit } = await import('../../shared/store/table/commit.ts');
  const { findWorld, takeNumbers } = await import('../../shared/store/worlds/world.ts');
  const { pastWrites } = await import('../../shared/store/writes.ts');
  const world = (await findWorld(worldIdOf(merchant, 'test'))) as World;
  const pattern = toEntity('payment', (await getItem(keyOf('payment', world, id))) ?? {}) as Payment;
  const none = Object.fromEntries(Object.keys(world.counts).map((name) => [name, 0])) as World['counts'];
  await commit([takeNumbers(world, { ...none, payment: howMany - 1 })]);
  const batches = Array.from({ length: Math.ceil((howMany - 1) / BATCH) }, (_, nth) => nth * BATCH);
  await mapLimit(STORED_AT_ONCE, batches, async (from) => {
    const made = Array.from({ length: Math.min(BATCH, howMany - 1 - from) }, (_, nth) => {
      const ordinal = from + nth + 2;
      const atMs = pattern.createdAtMs - (howMany - ordinal) * SECOND_MS;
      return {
        ...pattern,
        id: newId('pay', atMs) as PaymentId,
        number: formatNumber('payment', ordinal),
        reference: ordinal % RARE === 0 ? 'rare' : `order-${ordinal}`,
        createdAtMs: atMs,
        updatedAtMs: atMs,
        expiresAtMs: pattern.expiresAtMs + 365 * 24 * 3_600 * SECOND_MS,
      };
    });
    await writeAll(itemsOf(made.flatMap((payment) => pastWrites('payment', world, payment))), []);
  });
}

async function time(host: LiveHost, key: string, query: string, expected = PAGE): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < TRIES; nth += 1) {
    const startedAt = performance.now();
    const { data } = await host.ask<Page>(key, 'GET', `/payments?${query}`);
    times.push(performance.now() - startedAt);
    if (data.length !== expected) {
      throw new Error(`${query} found ${data.length} payments, not ${expected}`);
    }
  }
  return quantile(times, 0.5);
}

async function timeCreations(host: LiveHost, key: string): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < TRIES; nth += 1) {
    const startedAt = performance.now();
    await host.ask(key, 'POST', '/payments', { ...ORDER, reference: randomUUID() });
    times.push(performance.now() - startedAt);
  }
  return quantile(times, 0.5);
}

async function exportAll(host: LiveHost, key: string) {
  const before = host.sizes().host / MEGABYTE;
  let [after, read, most, deepCursor]: [string | null, number, number, string | null] = ['', 0, before, null];
  const startedAt = performance.now();
  while (after !== null) {
    const page: Page = await host.ask(key, 'GET', `/payments?limit=${PAGE}${after && `&after=${after}`}`);
    read += page.data.length;
    after = page.next_cursor;
    if (deepCursor === null && read >= PAYMENTS / 2) {
      deepCursor = after;
    }
    if (read % (PAGE * 50) === 0) {
      most = Math.max(most, host.sizes().host / MEGABYTE);
    }
  }
  const ms = performance.now() - startedAt;
  return { ms, read, perSecond: (read / ms) * SECOND_MS, hostMb: [before, most] as const, deepCursor };
}
