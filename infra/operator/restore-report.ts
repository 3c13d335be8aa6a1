import { toTimestamp } from '../../shared/domain/clock.ts';
import { isId } from '../../shared/domain/id.ts';
import { subjectOf } from '../../shared/domain/job.ts';
import { OPEN_STATUSES, type Payment } from '../../shared/domain/payment.ts';
import { type Refund, SENT_REFUND_STATUSES } from '../../shared/domain/refund.ts';
import { MODES, type World, worldIdOf, worldNow } from '../../shared/domain/world.ts';
import { readEndpoints } from '../../shared/store/events/endpoint.ts';
import { nextSequence } from '../../shared/store/events/event-log.ts';
import { readOutbox } from '../../shared/store/events/outbox.ts';
import { countDueJobs } from '../../shared/store/scheduler/due.ts';
import { readJobs } from '../../shared/store/scheduler/job.ts';
import { find } from '../../shared/store/table/entity.ts';
import { countPartition } from '../../shared/store/table/item.ts';
import { jobPks, outboxPks, queuePk } from '../../shared/store/table/keys.ts';
import { listMerchants } from '../../shared/store/worlds/merchant.ts';
import { findWorld, type StoredWorld } from '../../shared/store/worlds/world.ts';
import { findMissing } from './missing-objects.ts';
import { countOpenClaims } from './open-claims.ts';
import { findLostEvents } from './received-events.ts';
import type { OperatedService } from './target.ts';

/** The events that a receiver has got, to compare. */
export interface ReceivedFile {
  readonly file: string;
  readonly merchant: string;
  readonly mode: World['mode'];
}

export type RestoreReport = Awaited<ReturnType<typeof reportRestored>>;

/** What a service on restored data holds back, and what it lacks. The store is configured for it. */
export async function reportRestored(
  service: OperatedService,
  sinceMs: number,
  received: ReceivedFile | null,
) {
  const worlds = await readWorlds();
  const claims = await countOpenClaims();
  const held = [];
  const open = [];
  const missing = [];
  const unread = [];
  for (const world of worlds) {
    held.push({ ...(await readHeld(world)), claims_open: claims.get(world.id) ?? 0 });
    if (world.mode === 'live') {
      open.push(...(await readOpen(world)));
      const found = await findMissing(world, service, sinceMs);
      missing.push(...found.missing);
      unread.push(...(found.unread === null ? [] : [found.unread]));
    }
  }
  const lost =
    received && (await findLostEvents(received.file, await lastSequenceOf(await worldOf(received))));
  return { since: toTimestamp(sinceMs), worlds: held, open, missing, unread, lost_events: lost };
}

async function readWorlds(): Promise<StoredWorld[]> {
  const merchants = await listMerchants();
  const ids = merchants.flatMap(({ name }) => MODES.map((mode) => worldIdOf(name, mode)));
  return (await Promise.all(ids.map((id) => findWorld(id)))).filter((world) => world !== null);
}

async function worldOf({ merchant, mode }: ReceivedFile): Promise<StoredWorld> {
  const world = await findWorld(worldIdOf(merchant, mode));
  if (world === null) {
    throw new Error(`${merchant} has no ${mode} world here.`);
  }
  return world;
}

async function lastSequenceOf(world: StoredWorld): Promise<number> {
  return (await nextSequence(world)) - 1;
}

/** What begins as soon as the workers do. */
async function readHeld(world: StoredWorld) {
  const outbox = await readOutbox(outboxPks(world));
  const endpoints = await readEndpoints(world);
  const queued = await Promise.all(
    endpoints.map(({ id }) => countPartition(queuePk(world, id), ['sk < :sk', 'L'])),
  );
  return {
    merchant: world.merchant,
    mode: world.mode,
    last_sequence: await lastSequenceOf(world),
    outbox_entries: outbox.length,
    outbox_events: outbox.reduce((sum, { events }) => sum + events.length, 0),
    deliveries_queued: queued.reduce((sum, count) => sum + count, 0),
    jobs_due: await countDueJobs(jobPks(world), worldNow(world, Date.now())),
  };
}

/** The live payments and refunds that a provider knows, and whose outcome is not known: jobs look them up. */
async function readOpen(world: World) {
  const subjects = new Set((await readJobs(jobPks(world))).map(subjectOf));
  const rows = [];
  for (const id of subjects) {
    const payment = isId('pay', id) ? await find('payment', world, id) : null;
    const refund = isId('ref', id) ? await find('refund', world, id) : null;
    if (payment?.attempt && OPEN_STATUSES.has(payment.status)) {
      rows.push(openRow(world, 'payment', payment));
    } else if (refund !== null && SENT_REFUND_STATUSES.has(refund.status)) {
      rows.push(openRow(world, 'refund', refund));
    }
  }
  return rows;
}

function openRow({ merchant }: World, kind: 'payment' | 'refund', { id, number, status }: Payment | Refund) {
  return { merchant, kind, id, number, status };
}
